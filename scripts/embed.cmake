# Writes the YAML editions into a C++ file: cmake -DOUTPUT=x.cpp -DINPUTS="a.yaml;b.yaml" -P embed.cmake
set(text "#include \"config/built_in_editions.hpp\"\n\nnamespace referee::config {\n\nconst std::vector<BuiltInEdition>& built_in_editions() {\n  static const std::vector<BuiltInEdition> all = {\n")
foreach(input IN LISTS INPUTS)
  get_filename_component(id ${input} NAME_WE)
  file(READ ${input} content)
  string(APPEND text "      {\"${id}\", R\"yaml(${content})yaml\"},\n")
endforeach()
string(APPEND text "  };\n  return all;\n}\n\n}  // namespace referee::config\n")
file(WRITE ${OUTPUT} "${text}")
