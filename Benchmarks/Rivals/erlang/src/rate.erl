%% SPDX-License-Identifier: Apache-2.0
%% Clocks, cheap random numbers and groups of workers, shared by the paths.
-module(rate).
-export([nanoseconds/0, deadline/1, per_second/2, seed/1, pick/2, identifier/1, workers/2, loop/3]).

nanoseconds() -> erlang:monotonic_time(nanosecond).

deadline(#{seconds := Seconds}) -> nanoseconds() + round(Seconds * 1.0e9).

per_second(Count, Started) -> Count * 1.0e9 / (nanoseconds() - Started).

%% mwc59 is the cheapest generator of OTP: its state is one small integer, so it makes no garbage.
seed(Number) -> rand:mwc59_seed(Number).

%% A uniform number in 1..N and the next state; the product stays a small integer.
pick(N, State) ->
    {((rand:mwc59_value32(State) * N) bsr 32) + 1, rand:mwc59(State)}.

identifier(State0) ->
    State1 = rand:mwc59(State0),
    State2 = rand:mwc59(State1),
    {<<State1:64, State2:64>>, State2}.

%% Runs Body(1..N) in N linked processes and gives their results.
%% A large first heap spares a busy loop its first collections.
workers(N, Body) ->
    Self = self(),
    Options = [link, {min_heap_size, 4096}],
    Pids = [spawn_opt(fun() -> Self ! {self(), Body(I)} end, Options) || I <- lists:seq(1, N)],
    [receive {Pid, Result} -> Result end || Pid <- Pids].

%% Calls Step(Count, State) until the time is over; the clock is read once in 64 steps.
loop(Deadline, Step, State) -> loop(Deadline, Step, State, 0).

loop(Deadline, Step, State, Count) when Count band 63 =:= 0 ->
    case nanoseconds() < Deadline of
        true -> loop(Deadline, Step, Step(Count, State), Count + 1);
        false -> Count
    end;
loop(Deadline, Step, State, Count) ->
    loop(Deadline, Step, Step(Count, State), Count + 1).
