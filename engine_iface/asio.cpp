// Boost.Asio and Boost.Process v2 are compiled here, once; every other translation unit sees only declarations (CMakeLists.txt).
#include <boost/asio/impl/src.hpp>
#include <boost/process/v2/src.hpp>
