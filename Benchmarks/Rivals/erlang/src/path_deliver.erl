%% SPDX-License-Identifier: Apache-2.0
%% deliver: producers cast numbered messages to random sessions.
-module(path_deliver).
-export([run/2]).

%% Erlang's mailboxes have no bound, so all producers together keep at most this many messages
%% unhandled; the sessions count what they have handled in counters without a shared lock.
-define(WINDOW, 32768).
-define(BATCH, 128).

run(Producers, Options = #{sessions := N}) ->
    Handled = counters:new(Producers, [write_concurrency]),
    sessions:start(Options, {counted, Handled}),
    Window = ?WINDOW div Producers,
    Started = rate:nanoseconds(),
    Deadline = rate:deadline(Options),
    Sent = rate:workers(Producers, fun(Sender) ->
        batches(Sender, {Handled, Window, Deadline, N}, rate:seed(Sender), {0, 0})
    end),
    Count = lists:sum([C || {C, _} <- Sent]),
    Rate = rate:per_second(Count, Started),
    Sum = lists:sum([S || {_, S} <- Sent]),
    case sessions:totals(Options) of
        {Count, Sum, 0} -> ok;
        Totals -> rivals:fail({deliver, {sent, Count, Sum}, Totals})
    end,
    sessions:stop(Options),
    Rate.

%% A producer ends when its last message has been handled, so the clock covers that too.
batches(Sender, Shared = {Handled, Window, Deadline, N}, Random, Totals = {Count, _}) ->
    case rate:nanoseconds() < Deadline of
        true ->
            await(Handled, Sender, Count + ?BATCH - Window),
            {Next, Sent} = batch(?BATCH, Sender, N, Random, Totals),
            batches(Sender, Shared, Next, Sent);
        false ->
            await(Handled, Sender, Count),
            Totals
    end.

batch(0, _, _, Random, Totals) -> {Random, Totals};
batch(Left, Sender, N, Random, {Count, Sum}) ->
    {I, Next} = rate:pick(N, Random),
    Number = Count + 1,
    Payload = Random band 16#FFFFFFFF,
    scene_session:deliver(scene_registry:pid(sessions:id(I)), Sender, Number, Payload),
    batch(Left - 1, Sender, N, Next, {Number, Sum + Payload}).

%% Yielding lets the sessions on this scheduler run before the counter is read again.
await(Handled, Sender, AtLeast) ->
    case counters:get(Handled, Sender) >= AtLeast of
        true -> ok;
        false -> erlang:yield(), await(Handled, Sender, AtLeast)
    end.
