// SPDX-License-Identifier: Apache-2.0

/// What the page does in the browser: it fills containers and sends buttons, and draws nothing.
enum DashboardScript {
  /// The script.
  ///
  /// A fragment takes the place of the last one only if it differs, and not while a button is held
  /// down: the press would be lost with the button. The focus goes back to the element of the same
  /// `id`, and what was folded out stays so.
  static let text = #"""
    "use strict";
    (() => {
      const find = (id) => document.getElementById(id);
      const shown = new Map();
      const waiting = new Map();
      let isHeld = false;

      const say = (id, text) => {
        const element = find(id);
        if (element && element.textContent !== text) element.textContent = text;
      };

      const fill = (name, html) => {
        const box = find("db-" + name);
        if (isHeld) { waiting.set(name, html); return; }
        if (!box || shown.get(name) === html) return;
        shown.set(name, html);
        const focused = document.activeElement;
        const focus = focused && box.contains(focused) ? focused.id : "";
        const parts = (selector) => Array.from(box.querySelectorAll(selector));
        const open = parts("details").map((element) => element.open);
        box.innerHTML = html;
        parts("details").forEach((element, index) => { element.open = open[index] === true; });
        if (focused && focus && find(focus)) find(focus).focus({ preventScroll: true });
        else if (focus) find("db-main").focus({ preventScroll: true });
      };

      const release = () => setTimeout(() => {
        isHeld = false;
        for (const [name, html] of waiting) fill(name, html);
        waiting.clear();
      });
      document.addEventListener("pointerdown", () => { isHeld = true; });
      document.addEventListener("pointerup", release);
      document.addEventListener("pointercancel", release);
      window.addEventListener("blur", release);

      const connect = () => {
        const source = new EventSource("/updates");
        source.onopen = () => say("db-connection", "live");
        source.addEventListener("fragment", (event) => {
          const end = event.data.indexOf("\n");
          if (end < 0) fill(event.data, "");
          else fill(event.data.slice(0, end), event.data.slice(end + 1));
        });
        source.onerror = () => {
          say("db-connection", "not connected: the program has ended, or too many pages are open");
          if (source.readyState === EventSource.CLOSED) setTimeout(connect, 5000);
        };
      };

      const act = async (action, body) => {
        const token = find("db-token").value.trim();
        say("db-answer", "");
        try {
          const answer = await fetch("/actions/" + action, {
            method: "POST",
            headers: {
              "Content-Type": "application/x-www-form-urlencoded",
              "X-Proscenium-Token": token,
            },
            body,
          });
          say("db-answer", (await answer.json()).message);
        } catch {
          say("db-answer", "The program did not answer.");
        }
      };

      document.addEventListener("click", (event) => {
        const drain = event.target.closest("button[data-node]");
        if (drain) { act("drain", "node=" + drain.dataset.node); return; }
        const button = event.target.closest("button[data-session]");
        if (!button) return;
        const session = button.dataset.session;
        if (button.dataset.action === "discard"
            && !confirm("Discard session " + session + " for good?")) return;
        act(button.dataset.action, "session=" + session);
      });

      document.addEventListener("submit", (event) => {
        const form = event.target.closest("form[data-action]");
        if (!form) return;
        event.preventDefault();
        act(form.dataset.action, new URLSearchParams(new FormData(form)).toString());
      });

      connect();
    })();

    """#
}
