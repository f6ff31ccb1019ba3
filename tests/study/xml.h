#pragma once
// Enough of an XML reader to tell whether a file is well-formed: one root, tags closed in order, attributes quoted, known entities.
#include <cctype>
#include <string>
#include <vector>

namespace wobble::support {

struct Xml {
    std::string error, root;
    std::vector<std::string> texts;  // between tags, entities replaced
    int elements = 0;
    bool has_text(const std::string& text) const {
        for (const std::string& t : texts)
            if (t == text) return true;
        return false;
    }
};

inline bool replace_entities(std::string& text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '&') {
            plain += text[i];
            continue;
        }
        const std::size_t end = text.find(';', i);
        const std::string name = end == std::string::npos ? "" : text.substr(i + 1, end - i - 1);
        if (name == "amp") plain += '&';
        else if (name == "lt") plain += '<';
        else if (name == "gt") plain += '>';
        else if (name == "quot") plain += '"';
        else return false;
        i = end;
    }
    text = plain;
    return true;
}

inline Xml parse_xml(const std::string& s) {
    Xml xml;
    std::vector<std::string> open;
    std::size_t at = 0;
    const auto fail = [&](const std::string& why) { return xml.error = why + " at " + std::to_string(at), xml; };
    if (s.starts_with("<?xml")) at = s.find("?>") + 2;
    while (at < s.size()) {
        const std::size_t tag = s.find('<', at);
        std::string text = s.substr(at, (tag == std::string::npos ? s.size() : tag) - at);
        if (!replace_entities(text)) return fail("unknown entity");
        if (open.empty() && text.find_first_not_of(" \n\r\t") != std::string::npos) return fail("text outside the root");
        if (!text.empty()) xml.texts.push_back(text);
        if (tag == std::string::npos) break;
        at = tag + 1;
        std::size_t end = at;
        for (bool quoted = false; end < s.size() && (quoted || s[end] != '>'); ++end) {
            if (s[end] == '"') quoted = !quoted;
            if (s[end] == '<') return fail("< inside a tag");
        }
        if (end >= s.size()) return fail("unfinished tag");
        std::string inside = s.substr(at, end - at);
        at = end + 1;
        if (inside.starts_with('/')) {
            if (open.empty() || open.back() != inside.substr(1)) return fail("wrong closing tag " + inside);
            open.pop_back();
            continue;
        }
        const bool empty = inside.ends_with('/');
        if (empty) inside.pop_back();
        std::size_t name_end = 0;
        while (name_end < inside.size() && !std::isspace(static_cast<unsigned char>(inside[name_end]))) ++name_end;
        const std::string name = inside.substr(0, name_end);
        for (std::size_t i = name_end; i < inside.size();) {  // name="value" ...
            if (std::isspace(static_cast<unsigned char>(inside[i]))) {
                ++i;
                continue;
            }
            const std::size_t equals = inside.find("=\"", i);
            const std::size_t close = equals == std::string::npos ? equals : inside.find('"', equals + 2);
            if (close == std::string::npos) return fail("attribute without a quoted value in " + name);
            std::string value = inside.substr(equals + 2, close - equals - 2);
            if (!replace_entities(value)) return fail("unknown entity");
            i = close + 1;
        }
        if (name.empty()) return fail("tag without a name");
        if (open.empty() && !xml.root.empty()) return fail("two roots");
        if (open.empty()) xml.root = name;
        ++xml.elements;
        if (!empty) open.push_back(name);
    }
    if (!open.empty()) return fail("unclosed " + open.back());
    if (xml.root.empty()) return fail("no root");
    return xml;
}

}  // namespace wobble::support
