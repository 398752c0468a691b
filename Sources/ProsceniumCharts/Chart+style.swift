// SPDX-License-Identifier: Apache-2.0

extension Chart {
  /// The colours of pages, in light and dark.
  package static let colours = """
    :root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --rule: #d8dee4;
      --paper: #ffffff; --card: #f6f8fa; --bad: #b42318; --good: #176f2c;
      --s0: #0b6bcb; --s1: #c2410c; --s2: #7c3aed; --s3: #0f766e; --s4: #be185d; --s5: #6b7280;
      --s6: #a16207; --s7: #111827; }
    @media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9aa6b2;
      --rule: #30363d; --paper: #0d1117; --card: #161b22; --bad: #ff7b72; --good: #56d364;
      --s0: #58a6ff; --s1: #ff9b5e; --s2: #bc9bff; --s3: #4fd1c5; --s4: #ff7eb6; --s5: #a3acb8;
      --s6: #e3b341; --s7: #f0f6fc; } }

    """

  /// The style of charts, for a page's `style` element: in light and dark, on paper, and with
  /// dashes for those who don't see the colours.
  package static let style =
    colours + """
      @media print { :root { color-scheme: light; --ink: #000; --soft: #333; --rule: #bbb;
        --paper: #fff; --card: #fff; } .chart { break-inside: avoid; } details { display: none; } }
      .chart { margin: 0; padding: 1rem; background: var(--card); border-radius: 8px;
        min-width: 0; }
      .chart h3 { margin: 0; font-size: 1rem; }
      .chart p { margin: .2rem 0 .4rem; color: var(--soft); font-size: .875rem; }
      .chart > svg { width: 100%; height: auto; display: block; }
      .chart svg line { stroke: var(--rule); stroke-width: 1; }
      .chart svg text { fill: var(--soft); font: 12px system-ui, sans-serif; }
      .chart svg polyline { fill: none; stroke-width: 2; stroke-linejoin: round; }
      .chart .strip { fill: var(--bad); }
      .chart .s0 { stroke: var(--s0); } .chart .s1 { stroke: var(--s1); stroke-dasharray: 7 3; }
      .chart .s2 { stroke: var(--s2); stroke-dasharray: 2 3; }
      .chart .s3 { stroke: var(--s3); stroke-dasharray: 10 3 2 3; }
      .chart .s4 { stroke: var(--s4); }
      .chart .s5 { stroke: var(--s5); stroke-dasharray: 7 3; }
      .chart .s6 { stroke: var(--s6); stroke-dasharray: 2 3; } .chart .s7 { stroke: var(--s7); }
      .chart circle { fill: none; stroke-width: 2; }
      .legend { display: flex; flex-wrap: wrap; gap: .2rem 1rem; list-style: none;
        margin: 0 0 .4rem; padding: 0; font-size: .8125rem; }
      .legend svg { width: 24px; height: 8px; margin-right: .4rem; vertical-align: middle; }
      @media (max-width: 600px) { .chart svg text { font-size: 18px; } }
      .chart details { font-size: .8125rem; overflow-x: auto; }
      .chart summary { cursor: pointer; color: var(--soft); }
      .chart table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
      .chart th, .chart td { padding: .15rem .6rem; text-align: right;
        border-bottom: 1px solid var(--rule); }
      """
}
