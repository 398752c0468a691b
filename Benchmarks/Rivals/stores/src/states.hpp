// SPDX-License-Identifier: Apache-2.0
// The states that are written, and which of them each session has to have.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

class states {
public:
  states(uint32_t sessions, size_t bytes);

  // Makes the next state of a session. It is valid until the next call.
  std::string_view next(uint32_t session);

  // The state that the session was given last. It is valid until the next call.
  std::string_view last(uint32_t session) { return made(counters_[session]); }

private:
  std::string_view made(uint64_t counter);

  // Small enough for the processor's cache, so that making a state costs only its copy.
  static constexpr size_t offsets = 1 << 16;

  std::vector<char> noise_;
  std::vector<char> state_;
  std::vector<uint64_t> counters_;
  uint64_t counter_ = 0;
};
