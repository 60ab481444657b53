/** What a comparison's page has beside the looks that all reports share. */
export const compareStyle = `
#verdict { font-size: 16px; margin: 0 0 12px; overflow-wrap: anywhere; }
#verdict.worse, .findings .worse, .row.worse .verdict { color: var(--bad); }
.row.better .verdict { color: var(--good); }
.row.undecided .verdict { color: var(--odd); }
.findings { padding-inline-start: 20px; max-height: 40vh; overflow: auto; overflow-wrap: anywhere; }
.findings button { all: unset; cursor: pointer; }
.findings button:hover { text-decoration: underline; }
.findings button:focus-visible { outline: 2px solid var(--bar); outline-offset: 1px; }
.pictures { display: flex; flex-wrap: wrap; gap: 8px 16px; }
.pictures img { display: block; max-width: 100%; height: auto; image-rendering: pixelated; border: 1px solid var(--line); background: repeating-conic-gradient(#999 0 25%, #777 0 50%) 0 0 / 16px 16px; }
`;
