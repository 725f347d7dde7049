import { SIGNED_OUT_STYLE } from "@treadle/common";

/**
 * The page of a shared conversation loads nothing but pictures, so its styles, the workbench's own,
 * are inlined.
 */
export const CONVERSATION_STYLE = `${SIGNED_OUT_STYLE}
:root{--line:light-dark(#e5e1d8,#34312c);--hover:light-dark(#f3f0e9,#2a2824);
--verified:light-dark(#2f7550,#6fbf8f);--failed:light-dark(#b23a2b,#ef8371);--unsure:light-dark(#946c00,#d9ad3b)}
body{font-size:16px;line-height:1.6;overflow-wrap:break-word}
main{max-width:720px;margin:0 auto;padding:24px 16px 64px}
header{border-bottom:1px solid var(--line);padding-bottom:16px}
header p,main p,li{color:inherit}
header h1{font-size:28px;margin:12px 0 4px}
.quiet,header p{color:var(--quiet);font-size:14px}
article{padding:24px 0;border-bottom:1px solid var(--line)}
article>h2{font-size:14px;font-weight:600;margin:0 0 4px;color:var(--quiet)}
.said{border-left:2px solid var(--accent);padding-left:12px;white-space:pre-wrap;margin:0 0 16px}
main p{margin:0 0 12px}
.as-is{white-space:pre-wrap}
h3,h4,h5,h6{font-size:16px;margin:20px 0 8px;line-height:1.3}
ul,ol{margin:0 0 12px;padding-left:24px}
li>p{margin:0}
blockquote{margin:0 0 12px;padding-left:12px;border-left:2px solid var(--line);color:var(--quiet)}
pre{margin:0 0 12px;padding:12px;overflow-x:auto;background:var(--raised);border:1px solid var(--line);border-radius:6px;font-size:13px;line-height:1.5}
code{font-size:.875em}
:not(pre)>code{background:var(--hover);border-radius:4px;padding:1px 4px}
pre code{font-size:inherit}
a{color:var(--accent);text-underline-offset:2px}
hr{border:0;border-top:1px solid var(--line);margin:20px 0}
.wide{overflow-x:auto;margin:0 0 12px}
table{border-collapse:collapse;font-size:14px}
th,td{border:1px solid var(--line);padding:4px 8px;text-align:start}
details{margin:0 0 12px;font-size:14px}
summary{color:var(--quiet);cursor:pointer;padding:4px 0}
.steps{list-style:none;padding-left:16px;margin:4px 0;border-left:1px solid var(--line)}
.steps details{margin:0}
.failed{color:var(--failed)}
.end{border:1px solid var(--line);border-left:3px solid var(--quiet);border-radius:6px;padding:12px 16px;margin-top:16px;background:var(--raised)}
.end.is-verified{border-left-color:var(--verified)}.end.is-failed{border-left-color:var(--failed)}.end.is-runs,.end.is-unverified{border-left-color:var(--unsure)}
.end p{margin:4px 0 0}
.end ul{list-style:none;padding:0;margin:8px 0 0;font-size:14px}
.end li::before{display:inline-block;width:20px}
.held::before{content:"✓";color:var(--verified)}
.broken::before{content:"✗";color:var(--failed)}
img{display:block;max-width:100%;height:auto;border:1px solid var(--line);border-radius:6px;margin:8px 0}
footer{padding-top:24px;display:grid;gap:16px}
footer p{margin:4px 0 0;color:var(--quiet);font-size:14px}
.button{display:inline-block;padding:8px 16px;border-radius:6px;background:var(--accent);color:var(--on-accent);text-decoration:none;font-weight:500;font-size:14px}
.c{color:var(--quiet);font-style:italic}
.s{color:light-dark(#3d6b35,#a5c38a)}.n{color:light-dark(#8a4b0f,#e3b27a)}.k{color:light-dark(#8f3f6b,#d79ac0)}
.f{color:light-dark(#2b5d82,#8fbbdc)}.t{color:light-dark(#6a5a10,#d6c172)}
@media print{details:not([open]){display:none}}
`;
