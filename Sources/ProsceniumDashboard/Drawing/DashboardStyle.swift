// SPDX-License-Identifier: Apache-2.0

/// How the page looks: in light and dark, and down to 400 pixels.
enum DashboardStyle {
  /// The style rules.
  static let text = """
    :root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --rule: #d8dee4;
      --paper: #ffffff; --card: #f6f8fa; --bad: #b42318; --good: #176f2c; --link: #0b5cad; }
    @media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9aa6b2;
      --rule: #30363d; --paper: #0d1117; --card: #161b22; --bad: #ff7b72; --good: #56d364;
      --link: #79b8ff; } }
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--paper); color: var(--ink);
      font: 16px/1.45 system-ui, sans-serif; overflow-wrap: anywhere; }
    header { display: flex; flex-wrap: wrap; gap: .2rem 1rem; align-items: baseline;
      padding: 1rem; border-bottom: 1px solid var(--rule); }
    h1 { margin: 0; font-size: 1.4rem; }
    h2 { margin: 0 0 .6rem; font-size: 1.15rem; }
    h3 { margin: 1rem 0 .4rem; font-size: 1rem; }
    h4 { margin: 0 0 .3rem; font-size: 1rem; }
    header p { margin: 0; color: var(--soft); }
    main { max-width: 90rem; margin: 0 auto; padding: 1rem; display: grid; gap: 1.6rem;
      grid-template-columns: minmax(0, 1fr); }
    main:focus { outline: none; }
    .skip { position: absolute; left: -999rem; }
    .skip:focus { left: .5rem; top: .5rem; background: var(--paper); padding: .5rem; }
    dl { display: grid; gap: .6rem; margin: 0;
      grid-template-columns: repeat(auto-fill, minmax(10rem, 1fr)); }
    dl div { background: var(--card); border-radius: 8px; padding: .5rem .75rem; }
    dt { color: var(--soft); font-size: .8125rem; }
    dd { margin: 0; font-size: 1.25rem; font-variant-numeric: tabular-nums; }
    #db-charts { display: grid; gap: 1rem;
      grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); }
    #db-charts figure { margin: 0; }
    .count { color: var(--soft); font-weight: normal; }
    .cards { list-style: none; margin: 0; padding: 0; display: grid; gap: .6rem;
      grid-template-columns: repeat(auto-fill, minmax(min(14rem, 100%), 1fr)); }
    .card { background: var(--card); border: 1px solid var(--rule); border-radius: 8px;
      border-top: 4px solid var(--soft); padding: .6rem; height: 100%; }
    .active .card { border-top-color: var(--good); }
    .inactive .card { border-top-style: dashed; border-top-color: var(--good); }
    .disconnected .card { border-top-style: dotted; }
    .card p { margin: .2rem 0; font-size: .875rem; }
    .card pre { margin: .3rem 0; max-height: 7rem; overflow: auto; white-space: pre-wrap;
      font-size: .8125rem; color: var(--soft); }
    .badge { color: var(--soft); }
    .none { color: var(--soft); margin: 0; }
    button, input { font: inherit; color: inherit; background: var(--paper);
      border: 1px solid var(--soft); border-radius: 6px; padding: .3rem .7rem; min-height: 2.2rem; }
    button { cursor: pointer; margin: .2rem .3rem .2rem 0; }
    button:hover { border-color: var(--link); color: var(--link); }
    :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
    form, #db-s-controls p { display: flex; flex-wrap: wrap; gap: .4rem .6rem;
      align-items: center; margin: 0 0 .6rem; }
    #db-answer:empty { display: none; }
    ol { margin: .4rem 0 0; padding: 0; list-style: none; font-size: .875rem; }
    ol li { padding: .15rem 0; border-bottom: 1px solid var(--rule); }
    .time { color: var(--soft); font-variant-numeric: tabular-nums; }

    """
}
