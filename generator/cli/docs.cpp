// burin docs: the man page and what shells complete, from the same options as --help.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "cli/commands.h"
#include "cli/completion.h"
#include "cli/usage.h"
#include "support/version.h"

namespace burin {
namespace {

// Text of a man page: no request, no escape, a minus that can be copied.
std::string roff(const std::string& text) {
  std::string out;
  bool start = true;  // of a line
  for (const char c : text) {
    if (start && (c == '.' || c == '\'')) out += "\\&";
    out += c == '\\' ? std::string("\\e") : c == '-' ? std::string("\\-") : std::string(1, c);
    start = c == '\n';
  }
  return out;
}

// "--output" and "-o", as they are typed.
std::vector<std::string> spellings(const CLI::Option& option) {
  std::vector<std::string> out;
  for (const std::string& name : option.get_lnames()) out.push_back("--" + name);
  for (const std::string& name : option.get_snames()) out.push_back("-" + name);
  return out;
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

std::string without_exit_codes(std::string footer) {
  if (const size_t at = footer.find(kExitCodesText); at != footer.npos) footer.erase(at);
  footer.erase(footer.find_last_not_of('\n') + 1);
  return footer;
}

std::string man_options(const CLI::App& command) {
  std::string out;
  for (const CLI::Option* option : command.get_options()) {
    std::string names;
    for (const std::string& name : spellings(*option))
      names += (names.empty() ? "\\fB" : ", \\fB") + roff(name) + "\\fR";
    if (option->get_positional())
      names = "\\fI" + roff(option->get_type_name()) + "\\fR";
    else if (takes_value(*option))
      names += " \\fI" + roff(option->get_type_name()) + "\\fR";
    out += ".TP\n" + names + "\n" + roff(option->get_description()) + "\n";
  }
  return out;
}

std::string man_page(const CLI::App& app) {
  std::string out = ".TH BURIN 1 \"\" \"burin " + roff(std::string(version())) +
                    "\"\n.SH NAME\nburin \\- source trees for ONNX networks\n.SH SYNOPSIS\n.B "
                    "burin\n.I COMMAND\n[\\fIOPTIONS\\fR]\n.SH DESCRIPTION\n" +
                    roff(app.get_description()) + "\n.SH OPTIONS\n" + man_options(app) +
                    ".SH COMMANDS\n";
  for (const CLI::App* command : app.get_subcommands({})) {
    out += ".SS burin " + roff(command->get_name()) + "\n" + roff(command->get_description()) +
           "\n" + man_options(*command);
    if (const std::string footer = without_exit_codes(command->get_footer()); !footer.empty())
      out += ".PP\n.nf\n" + roff(footer) + "\n.fi\n";
  }
  return out + ".SH EXIT STATUS\n" + roff(kExitCodesText) + "\n";
}

// Single quotes of every shell here.
std::string quoted_word(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// The first clause: what fits beside a name.
std::string brief(const std::string& text) {
  const std::string line = text.substr(0, text.find_first_of(";:\n"));
  return line.size() > 70 ? line.substr(0, line.rfind(' ', 70)) : line;
}

std::string words_of(const CLI::App& command) {
  std::string out;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : spellings(*option)) out += (out.empty() ? "" : " ") + name;
  }
  return out;
}

std::string bash_completion(const CLI::App& app) {
  std::string names, cases;
  for (const CLI::App* command : app.get_subcommands({})) {
    names += (names.empty() ? "" : " ") + command->get_name();
    cases += "    " + command->get_name() + ") words=" + quoted_word(words_of(*command)) + " ;;\n";
  }
  return "# Completions of burin for bash, made by burin docs bash.\n"
         "_burin() {\n"
         "  local word=\"${COMP_WORDS[COMP_CWORD]}\" words=\n"
         "  if [ \"$COMP_CWORD\" = 1 ]; then\n"
         "    words=" +
         quoted_word(names + " " + words_of(app)) +
         "\n"
         "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
         "    return\n"
         "  fi\n"
         "  # The shell splits words at '='.\n"
         "  local values= given=() i last=$((COMP_CWORD - 1)) files=\n"
         "  [ \"$word\" = = ] && word=\n"
         "  for ((i = 1; i <= last; ++i)); do\n"
         "    [ -z \"${COMP_WORDS[i]}\" ] || [ \"${COMP_WORDS[i]}\" = = ] || "
         "given+=(\"${COMP_WORDS[i]}\")\n"
         "  done\n"
         "  if [[ \"$word\" != -* ]]; then\n"
         "    values=\"$(burin docs values -- \"${given[@]}\" 2> /dev/null)\"\n"
         "  fi\n"
         "  if [ -n \"$values\" ]; then\n"
         "    while IFS= read -r i; do\n"
         "      if [ \"$i\" = '" +
         kFilesToo +
         "' ]; then files=1; continue; fi\n"
         "      [[ \"$i\" == *= ]] && compopt -o nospace 2> /dev/null\n"
         "      [[ \"$i\" == \"$word\"* ]] && COMPREPLY+=(\"$i\")\n"
         "    done <<< \"$values\"\n"
         "    [ -z \"$files\" ] || while IFS= read -r i; do COMPREPLY+=(\"$i\"); done < "
         "<(compgen -f -- \"$word\")\n"
         "    return\n"
         "  fi\n"
         "  case \"${COMP_WORDS[1]}\" in\n" +
         cases +
         "  esac\n"
         "  case \"$word\" in\n"
         "    -*) mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\") ;;\n"
         "    *) mapfile -t COMPREPLY < <(compgen -f -- \"$word\") ;;\n"
         "  esac\n"
         "}\n"
         "complete -o filenames -F _burin burin\n";
}

std::string zsh_completion(const CLI::App& app) {
  const auto escaped = [](std::string text) {
    for (size_t at = 0; (at = text.find_first_of("[]:", at)) != text.npos; at += 2)
      text.insert(at, "\\");
    return text;
  };
  std::string names, cases;
  for (const CLI::App* command : app.get_subcommands({})) {
    names += "    " +
             quoted_word(command->get_name() + ":" + escaped(brief(command->get_description()))) +
             "\n";
    cases += "    " + command->get_name() + ")\n      _arguments";
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : spellings(*option))
        cases += " \\\n        " +
                 quoted_word(name + "[" + escaped(brief(option->get_description())) + "]" +
                             (takes_value(*option) ? ":value:_burin_values" : ""));
    }
    cases += " \\\n        '*:file:_burin_values'\n      ;;\n";
  }
  return std::string() +
         "#compdef burin\n# Completions of burin for zsh, made by burin docs zsh.\n"
         "_burin_values() {\n"
         "  local -a found open\n"
         "  local one files=\n"
         "  for one in \"${(@f)$(burin docs values -- \"${(@)words[1,CURRENT-1]}\" 2> "
         "/dev/null)}\"; do\n"
         "    case \"$one\" in\n"
         "      '') ;;\n"
         "      '" +
         kFilesToo +
         "') files=1 ;;\n"
         "      *=) open+=(\"$one\") ;;\n"
         "      *) found+=(\"$one\") ;;\n"
         "    esac\n"
         "  done\n"
         "  (( $#found )) && compadd -a found\n"
         "  (( $#open )) && compadd -S '' -a open\n"
         "  if (( $#found + $#open == 0 )) || [[ -n \"$files\" ]]; then _files; fi\n"
         "}\n"
         "local -a commands\ncommands=(\n" +
         names +
         ")\nif (( CURRENT == 2 )); then\n  _describe command commands\nelse\n"
         "  local command=\"$words[2]\"\n  shift words\n  (( CURRENT-- ))\n  case \"$command\" "
         "in\n" +
         cases + "  esac\nfi\n";
}

std::string fish_completion(const CLI::App& app) {
  std::string out =
      "# Completions of burin for fish, made by burin docs fish.\n"
      "function __burin_values\n"
      "  set -l given (commandline -opc)\n"
      "  set -l values (burin docs values -- $given[2..-1] 2> /dev/null)\n"
      "  for one in $values\n"
      "    test \"$one\" = '" +
      std::string(kFilesToo) +
      "'; or echo $one\n"
      "  end\n"
      "  if not set -q values[1]; or contains -- '" +
      kFilesToo +
      "' $values\n"
      "    __fish_complete_path (commandline -ct)\n"
      "  end\n"
      "end\n"
      "complete -c burin -n 'not __fish_use_subcommand' -f -a '(__burin_values)'\n";
  for (const CLI::App* command : app.get_subcommands({})) {
    out += "complete -c burin -n __fish_use_subcommand -f -a " + command->get_name() + " -d " +
           quoted_word(brief(command->get_description())) + "\n";
    for (const CLI::Option* option : command->get_options()) {
      const std::string rest = (takes_value(*option) ? " -x -a '(__burin_values)' -d " : " -d ") +
                               quoted_word(brief(option->get_description())) + "\n",
                        when = "complete -c burin -n '__fish_seen_subcommand_from " +
                               command->get_name() + "' ";
      for (const std::string& name : option->get_lnames()) out += when + "-l " + name + rest;
      for (const std::string& name : option->get_snames()) out += when + "-s " + name + rest;
    }
  }
  return out;
}

}  // namespace

Command add_docs(CLI::App& app) {
  CLI::App* command = app.add_subcommand("docs", "print the man page, or what a shell completes");
  struct DocsFlags {
    std::string kind;
    std::vector<std::string> words;
  };
  auto flags = std::make_shared<DocsFlags>();
  command
      ->add_option("kind", flags->kind,
                   "man, bash, zsh or fish; values: the words that these offer behind WORDS, a "
                   "command and what is typed of it")
      ->required()
      ->check(CLI::IsMember({"man", "bash", "zsh", "fish", "values"}))
      ->type_name("KIND");
  command->add_option("words", flags->words, "with values")->type_name("WORDS");
  command->footer(std::string("Examples:\n"
                              "  burin docs man | man -l -\n"
                              "  source <(burin docs bash)\n"
                              "  burin docs values -- generate net.onnx --config\n\n") +
                  kExitCodesText);
  return [&app, flags] {
    if ((flags->kind == "values") == flags->words.empty())
      throw UsageError{
          flags->words.empty() ? "docs values needs words" : "words go with docs values",
          "as in burin docs values -- generate net.onnx --config"};
    if (flags->kind == "values") {
      for (const std::string& word : values_behind(app, flags->words))
        std::printf("%s\n", word.c_str());
      return kExitOk;
    }
    std::fputs((flags->kind == "man"    ? man_page(app)
                : flags->kind == "bash" ? bash_completion(app)
                : flags->kind == "zsh"  ? zsh_completion(app)
                                        : fish_completion(app))
                   .c_str(),
               stdout);
    return kExitOk;
  };
}

}  // namespace burin
