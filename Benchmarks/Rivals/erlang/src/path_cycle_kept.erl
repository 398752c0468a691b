%% SPDX-License-Identifier: Apache-2.0
%% cycle_kept: the whole life of a session that has a row in session_table. The number of sessions
%% is how many may be in memory.
-module(path_cycle_kept).
-export([run/2]).

-define(QUOTA, 100000).

run(Callers, Options = #{sessions := Capacity}) ->
    scene_store:open(),
    session_table:open(?QUOTA, Capacity),
    Started = rate:nanoseconds(),
    Deadline = rate:deadline(Options),
    Count = lists:sum(rate:workers(Callers, fun(Caller) ->
        cycles(Deadline, rate:seed(Caller), 0)
    end)),
    Rate = rate:per_second(Count, Started),
    nothing_is_left(Count),
    limits_hold(Capacity),
    nothing_is_left(Count + Capacity + 1),
    session_table:close(),
    a_quota_holds(),
    scene_store:close(),
    Rate.

cycles(Deadline, Random, Count) ->
    case rate:nanoseconds() < Deadline of
        true -> cycles(Deadline, cycle(Random, Count), Count + 1);
        false -> Count
    end.

cycle(Random, Edits) ->
    {Id, Next} = rate:identifier(Random),
    {ok, _} = kept_session:start(Id, new, Edits),
    ok = session_table:foreground(Id),
    ok = session_table:background(Id),
    ok = session_table:disconnect(Id),
    {ok, _} = kept_session:start(Id, stored, Edits),
    ok = session_table:foreground(Id),
    ok = session_table:destroy(Id),
    Next.

%% Opens one session more than may be in memory, without the clock. The first one makes room, with
%% its state saved again, and comes back.
limits_hold(Capacity) ->
    Ids = [<<I:128>> || I <- lists:seq(0, Capacity)],
    [begin
         {ok, _} = kept_session:start(Id, new, 5),
         ok = session_table:background(Id)
     end || Id <- Ids],
    {First, disconnected, 2} = session_table:row(hd(Ids)),
    {Last, background, 1} = session_table:row(lists:last(Ids)),
    Last - First =:= Capacity orelse rivals:fail({numbers, First, Last}),
    {_, _, _, Left} = session_table:counts(),
    Left =:= 3 * Capacity + 1 orelse rivals:fail({in_memory, Left}),
    {ok, _} = kept_session:start(hd(Ids), stored, 5),
    [ok = session_table:destroy(Id) || Id <- Ids].

a_quota_holds() ->
    session_table:open(0, 1),
    ignore = kept_session:start(<<0:128>>, new, 5),
    session_table:close().

nothing_is_left(Sessions) ->
    case {session_table:counts(), scene_store:size()} of
        {{Sessions, Sessions, Sessions, 0}, 0} -> ok;
        Counts -> rivals:fail({cycle_kept, {made, Sessions}, Counts})
    end.
