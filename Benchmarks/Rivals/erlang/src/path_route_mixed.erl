%% SPDX-License-Identifier: Apache-2.0
%% route_mixed: which session gets an address, by predicates of four kinds, one process.
%%
%% Of a hundred sessions 70 prefer one address, 20 those with a prefix, 5 those with a suffix, and 5
%% a pattern with wildcards at both ends. Each kind has an ETS table, keyed by the text that has to
%% be there; the lengths of such texts are few and known. A pattern's text begins at a place that is
%% found by what all patterns have in common. Every table is asked, since the best of several
%% sessions would win: the one with the lowest place in the order of recent use.
-module(path_route_mixed).
-export([run/1]).

-define(SITE, "https://clowntown.example.com").
-define(COMMON, ".example.com/a/").

-record(router, {exact, prefix, suffix, pattern, prefix_length, suffix_length, pattern_length}).

run(Options = #{sessions := N}) ->
    Router = router(),
    Addresses = list_to_tuple([enter(Router, I) || I <- lists:seq(0, N - 1)]),
    persistent_term:put(?MODULE, Addresses),
    Worker = fun(_) ->
        Started = rate:nanoseconds(),
        Step = fun(_, Random) -> decide(Router, N, Random) end,
        rate:per_second(rate:loop(rate:deadline(Options), Step, rate:seed(1)), Started)
    end,
    [Rate] = rate:workers(1, Worker),
    [ets:delete(T) || T <- [Router#router.exact, Router#router.prefix, Router#router.suffix,
                            Router#router.pattern]],
    Rate.

router() ->
    [Exact, Prefix, Suffix, Pattern] =
        [ets:new(T, [set, public, {read_concurrency, true}])
         || T <- [exact, prefix, suffix, pattern]],
    Key = key(0),
    #router{exact = Exact, prefix = Prefix, suffix = Suffix, pattern = Pattern,
            prefix_length = byte_size(<<?SITE, "/u/", Key/binary, "/">>),
            suffix_length = byte_size(<<"/", Key/binary, ".html">>),
            pattern_length = byte_size(<<?COMMON, Key/binary, "/">>)}.

%% Enters a session's predicate; gives an address that it holds for.
enter(Router, I) ->
    Key = key(I),
    Place = erlang:phash2({place, I}, 1 bsl 27) bsl 27 + I,
    {Table, Text, Address} = predicate(I * 37 rem 100, Key, Router),
    true = ets:insert_new(Table, {Text, Place, I}),
    Address.

predicate(Percent, Key, Router) when Percent < 70 ->
    Address = <<?SITE, "/tab/", Key/binary>>,
    {Router#router.exact, Address, Address};
predicate(Percent, Key, Router) when Percent < 90 ->
    Text = <<?SITE, "/u/", Key/binary, "/">>,
    {Router#router.prefix, Text, <<Text/binary, Key/binary>>};
predicate(Percent, Key, Router) when Percent < 95 ->
    Text = <<"/", Key/binary, ".html">>,
    {Router#router.suffix, Text, <<?SITE, "/p", Text/binary>>};
predicate(_, Key, Router) ->
    Text = <<?COMMON, Key/binary, "/">>,
    {Router#router.pattern, Text, <<?SITE, "/a/", Key/binary, "/1">>}.

%% Eleven letters and digits, other ones for each number.
key(I) ->
    <<A:55, _:1>> = <<(erlang:phash2(I, 1 bsl 28)):28, I:28>>,
    << <<(element(D + 1, {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $a, $b, $c, $d, $e, $f, $g,
                          $h, $i, $j, $k, $m, $n, $p, $q, $r, $s, $t, $u, $v, $w, $x})):8>>
       || <<D:5>> <= <<A:55>> >>.

decide(Router, N, Random) ->
    {I, Next} = rate:pick(N, Random),
    Address = element(I, persistent_term:get(?MODULE)),
    case choose(Router, Address) of
        {_, Session} when Session =:= I - 1 -> Next;
        Other -> rivals:fail({route_mixed, Address, Other})
    end.

choose(R, Address) ->
    Size = byte_size(Address),
    A = better(none, ets:lookup(R#router.exact, Address)),
    B = better(A, part(R#router.prefix, Address, Size, 0, R#router.prefix_length)),
    SuffixLength = R#router.suffix_length,
    C = better(B, part(R#router.suffix, Address, Size, Size - SuffixLength, SuffixLength)),
    case binary:match(Address, <<?COMMON>>) of
        {At, _} ->
            better(C, part(R#router.pattern, Address, Size, At, R#router.pattern_length));
        nomatch -> C
    end.

part(Table, Address, Size, From, Length) when From >= 0, From + Length =< Size ->
    ets:lookup(Table, binary:part(Address, From, Length));
part(_, _, _, _, _) -> [].

better(Best, []) -> Best;
better(none, [{_, Place, Session}]) -> {Place, Session};
better({Place, _}, [{_, Other, Session}]) when Other < Place -> {Other, Session};
better(Best, _) -> Best.
