// SPDX-License-Identifier: Apache-2.0
// encode and decode: the ten-field state, one thread.
#include "draft.hpp"
#include "paths.hpp"

namespace {

// Calls the step until the time is over; the clock is read once in 64 steps.
template <class Step>
double measure(const options& o, Step step) {
  auto start = clock_type::now();
  auto end = deadline(o);
  uint64_t count = 0;
  for (; count % 64 != 0 || clock_type::now() < end; ++count)
    step(count);
  return static_cast<double>(count) / seconds_since(start);
}

} // namespace

// A fresh buffer each time, as a store that keeps the bytes needs it.
double run_encode(const options& o) {
  auto value = make_draft(0);
  auto size = encode(value).size();
  return measure(o, [&](uint64_t number) {
    value.edits = static_cast<int64_t>(number);
    check(encode(value).size() == size, "the size of the encoded state changed");
  });
}

double run_decode(const options& o) {
  std::vector<bytes> encoded;
  for (int64_t i = 0; i < 64; ++i) {
    encoded.push_back(encode(make_draft(i)));
    draft whole;
    check(decode(encoded.back(), whole) && whole == make_draft(i), "decoding lost a field");
  }
  return measure(o, [&](uint64_t number) {
    draft value;
    auto edits = number % 64;
    check(decode(encoded[edits], value) && value.edits == static_cast<int64_t>(edits),
          "the state cannot be decoded");
  });
}
