/** The report's looks, light and dark. */
export const style = `
:root { color-scheme: light dark; --back: #fff; --front: #1b1f24; --dim: #57606a; --line: #d0d7de; --chosen: #ddf4ff; --bar: #0969da; --odd: #9a6700; --flame-a: #ffd8a8; --flame-b: #ffe8c2; }
@media (prefers-color-scheme: dark) { :root { --back: #0d1117; --front: #e6edf3; --dim: #9198a1; --line: #30363d; --chosen: #15304d; --bar: #4493f8; --odd: #e3b341; --flame-a: #6b3f10; --flame-b: #7d4e1d; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1400px; padding: 16px; background: var(--back); color: var(--front); font: 14px/1.4 system-ui, sans-serif; }
h1 { font-size: 20px; margin: 0 0 8px; overflow-wrap: anywhere; }
h2 { font-size: 16px; margin: 20px 0 8px; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; margin: 0 0 8px; }
dt { color: var(--dim); }
dd { margin: 0; overflow-wrap: anywhere; }
summary { cursor: pointer; color: var(--dim); }
.warnings { border-inline-start: 4px solid var(--odd); padding-inline-start: 8px; margin-top: 12px; }
.warnings ul { margin: 0; padding-inline-start: 20px; }
.controls { display: flex; flex-wrap: wrap; gap: 16px; align-items: center; margin: 8px 0; }
input, select { font: inherit; color: inherit; background: var(--back); border: 1px solid var(--dim); border-radius: 4px; padding: 2px 6px; }
#count { color: var(--dim); }
#tree { height: min(60vh, 640px); overflow: auto; border: 1px solid var(--line); border-radius: 6px; position: relative; }
:focus-visible { outline: 2px solid var(--bar); outline-offset: 1px; }
#rows { position: relative; }
.row { display: grid; grid-template-columns: 64px minmax(200px, 1fr) 90px 64px 96px 64px 160px; gap: 8px; height: 24px; line-height: 24px; padding: 0 8px; white-space: nowrap; min-width: 760px; }
#rows .row { position: absolute; inset-inline: 0; }
#head { position: sticky; top: 0; z-index: 1; background: var(--back); border-bottom: 1px solid var(--line); color: var(--dim); }
.row > span { overflow: hidden; text-overflow: ellipsis; }
.row[aria-selected=true] { background: var(--chosen); }
.event, .draws, .time, .share { text-align: end; font-variant-numeric: tabular-nums; }
.event, .kind, .draws, .below-resolution .time { color: var(--dim); }
.questionable .time, .failed .time { color: var(--odd); }
.mark { display: inline-block; width: 16px; cursor: pointer; }
.bar { display: block; height: 12px; margin-top: 6px; background: var(--bar); border-radius: 2px; }
.hidden { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
figure { margin: 8px 0; }
.histogram { display: flex; align-items: end; gap: 1px; height: 80px; width: min(480px, 100%); border-bottom: 1px solid var(--line); }
.histogram span { flex: 1; background: var(--bar); }
figcaption { color: var(--dim); }
#flame { width: 100%; display: block; }
table { border-collapse: collapse; }
th, td { text-align: start; padding: 2px 16px 2px 0; border-bottom: 1px solid var(--line); }
td:last-child, th:last-child { text-align: end; font-variant-numeric: tabular-nums; }
`;
