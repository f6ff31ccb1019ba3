#pragma once
// Result<T>: a value, or one sentence saying what is wrong with the input and what to do.
// For bad input only; programmer errors are assertions, numerical failures are StepReports.
#include <cassert>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace wobble {

struct Error {
    std::string message;  // one sentence: what happened, in which file or value, what to do; the same in a window and on the command line
    const char* value = "";  // what has to be changed, by the command line's name for it ("out", "fps"), where that is known
};

template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : content_(std::move(value)) {}
    Result(Error error) : content_(std::move(error)) {}

    bool ok() const { return std::holds_alternative<T>(content_); }
    explicit operator bool() const { return ok(); }

    T& value() & { return assert(ok()), std::get<T>(content_); }
    const T& value() const& { return assert(ok()), std::get<T>(content_); }
    T&& value() && { return assert(ok()), std::get<T>(std::move(content_)); }
    const Error& error() const { return assert(!ok()), std::get<Error>(content_); }
    const std::string& message() const { return error().message; }

private:
    std::variant<T, Error> content_;
};

// For operations that either work or explain themselves.
template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) : error_(std::move(error)) {}

    bool ok() const { return !error_.has_value(); }
    explicit operator bool() const { return ok(); }
    const Error& error() const { return assert(!ok()), *error_; }
    const std::string& message() const { return error().message; }

private:
    std::optional<Error> error_;
};

}  // namespace wobble
