%% SPDX-License-Identifier: Apache-2.0
%% cycle and cycle_durable: the whole life of a session, every step awaited by its caller. Where says
%% where its state is kept: memory or {log, Writer}.
-module(path_cycle).
-export([run/2, run_durable/2]).

-define(GROUP, 256).

run(Callers, Options) ->
    {_, Rate} = measure(Callers, Options, memory),
    Rate.

run_durable(Callers, Options = #{dir := [Dir]}) ->
    File = durable_log:path(Dir),
    Log = group_writer:start(File, ?GROUP),
    {Count, Rate} = measure(Callers, Options, {log, Log}),
    group_writer:stop(Log),
    case durable_log:count_puts(File) of
        Count -> durable_log:remove(File);
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
forget({log, Writer}, Id) -> group_writer:note(Writer, {delete, Id}).
