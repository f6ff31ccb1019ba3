#pragma once
// What an object has learnt from its work and decides by, as a few numbers: one function per class names them, for writing them down and
// for reading them back. With them a run that goes back in time continues from there bit by bit.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

namespace wobble {

class SavedSolverState {
public:
    static SavedSolverState writing(std::vector<double>& numbers) { return {numbers, true}; }   // appends
    static SavedSolverState reading(std::vector<double>& numbers) { return {numbers, false}; }  // from the first one on
    bool reads() const { return !writes_; }

    template <class T>
    void operator()(T& value) {
        if (writes_) numbers_.push_back(static_cast<double>(value));
        else if (next_ < numbers_.size()) value = static_cast<T>(numbers_[next_++]);
    }

    void operator()(std::vector<double>& values) {  // as many as there are
        std::size_t count = values.size();
        (*this)(count);
        values.resize(writes_ ? count : std::min(count, numbers_.size() - next_));
        for (double& value : values) (*this)(value);
    }

    // An object made when first needed: dropped if it did not exist when the state was saved, made if it did.
    template <class Pointer, class Make>
    void maybe(Pointer& object, Make&& make) {
        bool there = object != nullptr;
        (*this)(there);
        if (!there) return object.reset();
        if (!object) object = make();
        object->solver_state(*this);
    }

private:
    SavedSolverState(std::vector<double>& numbers, bool writes) : numbers_(numbers), writes_(writes) {}
    std::vector<double>& numbers_;
    std::size_t next_ = 0;
    bool writes_;
};

// An object made when first needed, by an owner that is given one state after the other: in a state without it, it waits, as making it
// again would cost more than the state; when it is needed then, it begins anew.
template <class T>
class WhenNeeded {
public:
    template <class Make>
    T& get(Make&& make) {
        if (!object_) object_ = make();
        else if (!there_) begin_anew();
        there_ = true;
        return *object_;
    }
    T& operator*() { return *object_; }
    T* operator->() { return object_.get(); }

    template <class Make>
    void solver_state(SavedSolverState& numbers, Make&& make) {
        numbers(there_);
        if (!there_) return;
        if (!object_) object_ = make();
        object_->solver_state(numbers);
    }

private:
    void begin_anew() {
        if constexpr (requires { object_->begin_anew(); }) object_->begin_anew();
    }
    std::unique_ptr<T> object_;
    bool there_ = false;  // in the present state
};

}  // namespace wobble
