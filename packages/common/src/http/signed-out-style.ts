/** Styles of the page for signed-out visitors, which loads nothing: copies of the workbench's. */
export const SIGNED_OUT_STYLE = `
:root{color-scheme:light dark;--paper:light-dark(#fbfaf7,#171614);--raised:light-dark(#fff,#1f1e1b);
--edge:light-dark(#948d80,#777066);--ink:light-dark(#1f1d1a,#ece8df);--quiet:light-dark(#6e685e,#9d968a);
--accent:light-dark(#a4521f,#e0935c);--on-accent:light-dark(#fff,#171614)}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:400 14px/1.45 ui-sans-serif,system-ui,sans-serif}
main{max-width:440px;margin:18vh auto 0;padding:0 16px}
h1{font-size:20px;line-height:1.2;margin:12px 0 4px}
p,label{color:var(--quiet);margin:0}
p[role=alert]{color:light-dark(#b23a2b,#ef8371);margin-bottom:4px}
a{color:var(--accent)}
form{margin-top:24px}
form+form{margin-top:12px}
form div{display:flex;gap:8px;margin-top:8px}
input{flex:1;min-width:0;height:36px;padding:0 12px;border:1px solid var(--edge);border-radius:6px;
background:var(--raised);color:inherit;font:inherit;font-size:16px}
button{height:36px;padding:0 16px;border:0;border-radius:6px;background:var(--accent);color:var(--on-accent);
font:inherit;font-weight:500;cursor:pointer}
button.other{background:none;border:1px solid var(--edge);color:inherit}
:focus-visible{outline:2px solid var(--accent);outline-offset:1px}
code{font-family:ui-monospace,Menlo,Consolas,monospace}
.lit{stroke:var(--accent)}
`;

/** The logo: four strokes in a ring. */
export const MARK = `<svg width="28" height="28" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="3" aria-hidden="true"><path class="lit" d="M14.1 4.3A8 8 0 0 1 19.7 9.9"/><path d="M19.7 14.1A8 8 0 0 1 14.1 19.7"/><path d="M9.9 19.7A8 8 0 0 1 4.3 14.1"/><path d="M4.3 9.9A8 8 0 0 1 9.9 4.3"/></svg>`;
