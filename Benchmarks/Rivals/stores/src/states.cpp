// SPDX-License-Identifier: Apache-2.0
#include "states.hpp"
#include "random.hpp"
#include <cstring>

states::states(uint32_t sessions, size_t bytes)
    : noise_(offsets + bytes), state_(bytes), counters_(sessions) {
  generator random{1};
  for (auto& byte : noise_)
    byte = static_cast<char>(random.next());
}

std::string_view states::next(uint32_t session) {
  counters_[session] = ++counter_;
  return made(counter_);
}

// The counter, then a piece of noise from a place that depends on it, so that all bytes change.
std::string_view states::made(uint64_t counter) {
  std::memcpy(state_.data(), &counter, sizeof counter);
  std::memcpy(state_.data() + sizeof counter, noise_.data() + mixed(counter) % offsets,
              state_.size() - sizeof counter);
  return {state_.data(), state_.size()};
}
