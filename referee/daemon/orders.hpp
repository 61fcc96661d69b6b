// Orders as JSON, and back: {"order":"add_time","side":"white","time_ms":60000,"why":"clock defect"}. What a player says through an
// operator has the same form: {"order":"claim_threefold","side":"black"}.
#pragma once

#include <boost/json/fwd.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "referee/game/event.hpp"

namespace referee::daemon {

/// Not an order, or one that lacks what it needs or has what it does not take: says what was expected.
class OrderError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// `who` is the caller's name, `why` stands in the JSON. Throws OrderError.
[[nodiscard]] game::EventBody read_order(const boost::json::object& order, const std::string& who);

struct OrderForm {
  std::string_view name;
  std::string_view takes;  // its members besides `why`, the needed ones first: "side time_ms [flag]"
  std::string_view does;   // in words
};
/// Everything that read_order reads, for the page, the command line's help and the API's description.
[[nodiscard]] const std::vector<OrderForm>& order_forms();

}  // namespace referee::daemon
