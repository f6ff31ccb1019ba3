// One definition each: no two files define a class or struct of the same name in the same namespace. The compiler sees one file, the
// linker keeps one of the two functions; unnamed namespaces are exempt.
#include "tests/architecture/tree.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace wobble {
namespace {

// Comments, strings and preprocessor lines as blanks, so that braces and words left are code.
std::string code_of(const std::string& text) {
    static const std::regex noise(
        R"re(//[^\n]*|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/|R"(\w*)\([\s\S]*?\)\1"|"(?:[^"\\\n]|\\.)*"|\b\d[\d'a-fA-FxX.]*|'(?:[^'\\\n]|\\.)+'|(?:^|\n)[ \t]*#(?:[^\n\\]|\\\n|\\.)*)re");
    return std::regex_replace(text, noise, " ");
}

// Qualified names of the types defined at namespace scope, outside of unnamed namespaces.
std::vector<std::string> types_defined(const std::string& code) {
    static const std::regex token(R"([A-Za-z_]\w*|::|[{};<>()=:,])");
    std::vector<std::string> scopes, found, statement;  // scopes: a namespace's name, "" where nothing counts
    for (std::sregex_iterator it(code.begin(), code.end(), token), end; it != end; ++it) {
        const std::string word = it->str();
        if (word == "{") {
            const bool counts = std::find(scopes.begin(), scopes.end(), "") == scopes.end();
            std::string scope;
            auto at = std::find(statement.begin(), statement.end(), "namespace");
            if (at != statement.end()) {
                for (++at; at != statement.end(); ++at) scope += *at;
            } else if (counts) {
                int angle = 0;  // inside template <class X>
                for (std::size_t i = 0; i < statement.size(); ++i) {
                    if (statement[i] == "<") ++angle;
                    else if (statement[i] == ">") --angle;
                    else if (statement[i] == "(" || statement[i] == "=" || statement[i] == "enum") break;
                    else if (angle == 0 && (statement[i] == "class" || statement[i] == "struct")) {
                        std::string name;
                        std::size_t k = i + 1;
                        for (; k < statement.size() && statement[k] != ":" && statement[k] != "final" && statement[k] != "<"; ++k)
                            name += statement[k];
                        const bool specialised = k < statement.size() && statement[k] == "<";
                        std::string qualified;
                        for (const std::string& s : scopes) qualified += s + "::";
                        if (!name.empty() && !specialised) found.push_back(qualified + name);
                        break;
                    }
                }
            }
            scopes.push_back(scope);
            statement.clear();
        } else if (word == "}") {
            if (!scopes.empty()) scopes.pop_back();
            statement.clear();
        } else if (word == ";") statement.clear();
        else statement.push_back(word);
    }
    return found;
}

TEST(OneDefinition, TheReaderSeesNamespacesAndNestedTypes) {
    const auto found =
        types_defined(code_of("namespace a { struct B : C { struct D {}; }; class E; template <class T> class F final {};\n"
                              "namespace { struct G {}; } void f() { struct H {}; } enum class I { x }; } struct J::K {};"));
    EXPECT_EQ(found, (std::vector<std::string>{"a::B", "a::F", "J::K"}));
}

// Tests count, too, so that any two of them can be linked together.
TEST(OneDefinition, EveryTypeIsDefinedInOneFile) {
    std::map<std::string, std::set<std::string>> files_with;
    for (const char* folder : {"engine", "app", "tests"})
        for (const auto& file : sources_of(folder))
            for (const std::string& name : types_defined(code_of(text_of(project_root() / file)))) files_with[name].insert(file.string());
    EXPECT_GT(files_with.size(), 200u);
    EXPECT_TRUE(files_with.contains("wobble::MechanicalSystem"));
    for (const auto& [name, files] : files_with) {
        std::string list;
        for (const std::string& file : files) list += " " + file;
        EXPECT_EQ(files.size(), 1u) << name << " is defined in" << list;
    }
}

}  // namespace
}  // namespace wobble
