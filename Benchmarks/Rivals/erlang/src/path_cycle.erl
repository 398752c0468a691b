%% SPDX-License-Identifier: Apache-2.0
%% cycle and cycle_durable: the whole life of a session, every step awaited by its caller.
-module(path_cycle).
-export([run/2, run_durable/2]).

-define(GROUP, 256).

run(Callers, Options) ->
    {_, Rate} = measure(Callers, Options, memory),
    Rate.

run_durable(Callers, Options = #{dir := Dir}) ->
    File = filename:join(Dir, "rivals-cycle-" ++ os:getpid() ++ ".log"),
    Log = group_log:start(File, ?GROUP),
    {Count, Rate} = measure(Callers, Options, Log),
    group_log:stop(Log),
    case group_log:count_puts(File) of
        Count -> file:delete(File);
        Puts -> rivals:fail({states_in_the_log, Puts, cycles, Count})
    end,
    Rate.

measure(Callers, Options, Where) ->
    scene_registry:open(),
    scene_store:open(),
    Started = rate:nanoseconds(),
    Deadline = rate:deadline(Options),
    Count = lists:sum(rate:workers(Callers, fun(Caller) ->
        cycles(Deadline, Where, rate:seed(Caller), 0)
    end)),
    Rate = rate:per_second(Count, Started),
    scene_store:size() =:= 0 orelse rivals:fail(store_is_not_empty),
    scene_store:close(),
    scene_registry:close(),
    {Count, Rate}.

cycles(Deadline, Where, Random, Count) ->
    case rate:nanoseconds() < Deadline of
        true -> cycles(Deadline, Where, cycle(Where, Random, Count), Count + 1);
        false -> Count
    end.

cycle(Where, Random, Edits) ->
    {Id, Next} = rate:identifier(Random),
    scene_session:start(Id, {scene, Edits}),
    ok = scene_session:foreground(scene_registry:pid(Id)),
    ok = scene_session:background({scene_registry:pid(Id), Where}),
    scene_session:finish(scene_registry:pid(Id), disconnect),
    scene_session:start(Id, {stored, Edits}),
    ok = scene_session:foreground(scene_registry:pid(Id)),
    scene_session:finish(scene_registry:pid(Id), destroy),
    forget(Where, Id),
    Next.

%% A durable store has to learn of the end too; the record goes along with a later group.
forget(memory, _) -> ok;
forget(Log, Id) -> group_log:note(Log, {delete, Id}).
