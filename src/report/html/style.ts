/** The looks of reports, light and dark, on screens of any width and on paper. */
const colors = `
:root { color-scheme: light dark; --back: #fff; --front: #1b1f24; --dim: #57606a; --line: #d0d7de; --edge: #818b98; --chosen: #ddf4ff; --bar: #0969da; --odd: #7d4e00; --bad: #b31d28; --good: #116329; --flame-a: #ffd8a8; --flame-b: #ffe8c2; }
@media screen and (prefers-color-scheme: dark) { :root { --back: #0d1117; --front: #e6edf3; --dim: #9198a1; --line: #30363d; --edge: #6e7681; --chosen: #15304d; --bar: #4493f8; --odd: #e3b341; --bad: #ff7b72; --good: #56d364; --flame-a: #6b3f10; --flame-b: #7d4e1d; } }
`;

const text = `
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1600px; padding: 16px; background: var(--back); color: var(--front); font: 14px/1.4 system-ui, sans-serif; }
h1 { font-size: 20px; margin: 0 0 8px; overflow-wrap: anywhere; }
h2 { font-size: 16px; margin: 24px 0 8px; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: minmax(80px, max-content) 1fr; gap: 2px 16px; margin: 0 0 8px; }
dt { grid-column: 1; color: var(--dim); }
dd { grid-column: 2; margin: 0; overflow-wrap: anywhere; }
.pairs { grid-template-columns: repeat(auto-fill, minmax(min(280px, 100%), 1fr)); }
.pairs > div { display: grid; grid-template-columns: 1fr 1fr; gap: 8px; }
.hint, #notes, figcaption, #count { color: var(--dim); }
#notes { margin: 8px 0; padding-inline-start: 20px; overflow-wrap: anywhere; }
#notes:empty { display: none; }
.warnings { border-inline-start: 4px solid var(--odd); padding-inline-start: 8px; margin-top: 12px; overflow-wrap: anywhere; }
.warnings ul { margin: 0; padding-inline-start: 20px; }
.hidden { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
.scroll { overflow: auto; max-height: 60vh; }
table { border-collapse: collapse; width: max-content; }
th, td { max-width: 60ch; overflow-wrap: anywhere; text-align: start; padding: 2px 16px 2px 0; border-bottom: 1px solid var(--line); font-weight: normal; }
th { color: var(--dim); position: sticky; top: 0; background: var(--back); white-space: nowrap; }
.number { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; }
:focus-visible { outline: 2px solid var(--bar); outline-offset: 1px; }
`;

const grid = `
.controls { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: baseline; margin: 8px 0; }
input, select { font: inherit; color: inherit; background: var(--back); border: 1px solid var(--edge); border-radius: 4px; padding: 2px 6px; }
summary { cursor: pointer; }
fieldset { display: flex; flex-wrap: wrap; gap: 4px 16px; border: 1px solid var(--line); border-radius: 6px; margin: 4px 0; padding: 8px; }
#tree { max-height: max(240px, min(60vh, 640px)); overflow: auto; border: 1px solid var(--line); border-radius: 6px; position: relative; }
#rows { position: relative; min-width: var(--width); }
.row { display: grid; grid-template-columns: var(--columns); gap: 12px; height: 24px; line-height: 24px; padding: 0 10px; white-space: nowrap; min-width: var(--width); }
#rows .row { position: absolute; inset-inline: 0; contain: layout paint style; }
#head { position: sticky; top: 0; z-index: 1; height: auto; align-items: end; background: var(--back); border-bottom: 1px solid var(--line); line-height: 1.2; padding-block: 4px; white-space: normal; }
#head button { all: unset; cursor: pointer; color: var(--dim); white-space: normal; }
#head button:focus-visible { outline: 2px solid var(--bar); outline-offset: 1px; }
#head [aria-sort] button { color: var(--front); }
#head [aria-sort] button::after { content: "\\a0▲" / ""; font-size: 9px; }
#head [aria-sort=descending] button::after { content: "\\a0▼" / ""; }
.row > span { overflow: hidden; text-overflow: ellipsis; }
.row[aria-selected=true] { background: var(--chosen); outline: 1px solid transparent; outline-offset: -1px; }
#tree:focus-visible .row[aria-selected=true] { outline: 2px solid var(--bar); outline-offset: -2px; }
.eventId, .kind, .draws, .madNs, .below-resolution .durationNs { color: var(--dim); }
.questionable .durationNs { color: var(--odd); }
.failed .durationNs { color: var(--bad); }
.mark { display: inline-block; width: 16px; cursor: pointer; }
.filled { display: block; height: 12px; margin-top: 6px; background: var(--bar); border-radius: 2px; }
`;

const pictures = `
figure { margin: 8px 0; flex: 0 1 480px; min-width: 0; }
.histograms { display: flex; flex-wrap: wrap; gap: 8px 32px; }
.histogram { display: flex; align-items: end; gap: 1px; height: 80px; border-bottom: 1px solid var(--line); }
.histogram span { flex: 1; background: var(--bar); }
.thumbnail { max-width: 100%; image-rendering: pixelated; border: 1px solid var(--line); background: repeating-conic-gradient(#bbb 0 25%, #eee 0 50%) 0 0 / 16px 16px; }
.picture .thumbnail { display: block; height: 22px; margin-top: 1px; border: 0; }
figure > .thumbnail { display: block; min-width: 64px; }
#flame-box { position: relative; }
#flame { width: 100%; display: block; }
#flame-tip { position: absolute; inset: 0 auto auto 0; max-width: 100%; padding: 2px 8px; background: var(--back); border: 1px solid var(--edge); border-radius: 4px; pointer-events: none; overflow-wrap: anywhere; }
#flame[hidden], #flame-tip[hidden] { display: none; }
#flame-at { min-height: 1.4em; }
`;

const media = `
@media (forced-colors: active) { .filled, .histogram span { background: CanvasText; forced-color-adjust: none; } }
@page { size: landscape; margin: 10mm; }
@media print {
  body { max-width: none; padding: 0; }
  .controls, .hint, #flame-at, #flame-tip { display: none; }
  #tree, .scroll { height: auto; max-height: none; overflow: visible; border: 0; }
  #rows .row { position: static; break-inside: avoid; }
  #rows { height: auto !important; }
  #head, th { position: static; }
  .row { min-width: 0; font-size: 10px; gap: 6px; }
  #rows { min-width: 0; }
  .filled, .histogram span { print-color-adjust: exact; }
}
`;

export const style = colors + text + grid + pictures + media;
