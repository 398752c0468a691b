%% SPDX-License-Identifier: Apache-2.0
%% call: request and response between a caller and a random session.
-module(path_call).
-export([run/2]).

run(Callers, Options = #{sessions := N}) ->
    sessions:start(Options, new),
    Started = rate:nanoseconds(),
    Deadline = rate:deadline(Options),
    Counts = rate:workers(Callers, fun(Caller) ->
        rate:loop(Deadline, fun(Number, Random) -> call(Number, Random, N) end, rate:seed(Caller))
    end),
    Count = lists:sum(Counts),
    Rate = rate:per_second(Count, Started),
    case sessions:totals(Options) of
        {Count, 0, 0} -> ok;
        Totals -> rivals:fail({call, {made, Count}, Totals})
    end,
    sessions:stop(Options),
    Rate.

call(Number, Random, N) ->
    {I, Next} = rate:pick(N, Random),
    Reply = scene_session:number(scene_registry:pid(sessions:id(I)), Number),
    Reply >= Number orelse rivals:fail({reply, Reply, Number}),
    Next.
