import { STYLES } from "./styles-source.ts";

/**
 * Describes an element and its position in the source, as far as its framework keeps that in
 * development: React the stack of the creating call, Svelte a position, Vue the component's file;
 * for elements in the document itself, their path from the root.
 */
export const ELEMENTS = String.raw`
  ${STYLES}
  const kept = (e, start) => { for (const key in e) if (key.startsWith(start)) return e[key]; };
  // An element keeps the first of its two fibers, which may be outdated after a hot update, so the
  // current tree is walked.
  let standing = new Map();
  const walkFibers = () => {
    standing = new Map();
    const roots = new Set([...d.querySelectorAll("*")].map((x) => kept(x, "__reactContainer$")));
    for (const root of [kept(d, "__reactContainer$"), ...roots]) {
      const top = root && root.stateNode && root.stateNode.current, todo = top ? [top] : [];
      while (todo.length) {
        const f = todo.pop();
        if (f.stateNode instanceof Element) standing.set(f.stateNode, f);
        if (f.sibling) todo.push(f.sibling);
        if (f.child) todo.push(f.child);
      }
    }
  };
  const fiberOf = (e) => standing.get(e) || kept(e, "__reactFiber$");
  const plain = (file) => String(file).replace(/^.*\/home\/project\//, "").replace(/^\.?\//, "");
  // A fiber keeps the stack of its creation; after a hot update the newer one is in its parent's
  // props.
  const given = (x, props) => {
    if (Array.isArray(x)) { for (const y of x) { const z = given(y, props); if (z) return z; } }
    else return x && x.props === props && x;
  };
  const stackOf = (f) => {
    let made;
    for (let up = f.return, n = 0; up && n < 6 && !made; up = up.return, n++) made = given(up.memoizedProps && up.memoizedProps.children, f.memoizedProps);
    const x = made && made._debugStack || f._debugStack;
    return x ? cut(x.stack || x, 4000) : "";
  };
  // React 18 and older keep the position itself.
  const saidBy = ({ _debugSource: s }) => s && plain(s.fileName) + ":" + s.lineNumber + ":" + (s.columnNumber || 1);
  // The line in the project's files from which a stack comes: elements with the same line share one
  // place in the source.
  const written = (stack) => stack.split("\n").find((line) => /:\d+:\d+\)?$/.test(line) && !/node_modules|\/@/.test(line)) || "";
  const siteOf = (e) => {
    const f = fiberOf(e), l = e.__svelte_meta && e.__svelte_meta.loc;
    return f ? saidBy(f) || written(stackOf(f)) : l ? l.file + ":" + l.line + ":" + l.column : "";
  };
  const wordsOf = (e) => [...e.childNodes].filter((n) => n.nodeType == 3 && n.data.trim());
  const own = (e) => e.localName == "script" && /\/__treadle\//.test(e.src) || e === mark;
  const pathOf = (e) => {
    const path = [];
    for (let x = e; x; x = x.parentElement) path.unshift([x.localName, x.parentElement ? [...x.parentElement.children].filter((y) => y.localName == x.localName && !own(y)).indexOf(x) : 0]);
    return path;
  };
  const find = (path) => {
    let x = d.documentElement;
    for (const [tag, n] of (path || []).slice(1)) x = x && [...x.children].filter((y) => y.localName == tag && !own(y))[n];
    return x;
  };
  const label = (e) => cut(e.localName + (e.id ? "#" + e.id : "") + [...e.classList].slice(0, 2).map((c) => "." + c).join(""), 60);
  const fromOf = async (e) => {
    const f = fiberOf(e);
    if (f) {
      const stacks = [], said = saidBy(f);
      if (said) return { kind: "react", at: said };
      for (let x = f; x && stacks.length < 6; x = x._debugOwner) { const s = stackOf(x); if (s) stacks.push(s); }
      const places = stacks.length ? await place(stacks) : [];
      return { kind: "react", at: places[0] || void 0, within: places.slice(1).find((x) => x) };
    }
    const l = e.__svelte_meta && e.__svelte_meta.loc;
    if (l) return { kind: "svelte", at: plain(l.file) + ":" + l.line + ":" + (l.column + 1) };
    for (let v = e.__vueParentComponent; v; v = v.parent) if (v.type.__file && !/node_modules/.test(v.type.__file)) return { kind: "vue", at: plain(v.type.__file) };
    return { kind: "html", at: location.pathname };
  };
  const describe = async (e) => {
    walkFibers();
    const site = siteOf(e), like = d.getElementsByTagName(e.localName), texts = wordsOf(e);
    let same = 1;
    if (site && like.length < 2000) same = [...like].filter((x) => siteOf(x) == site).length;
    return {
      tag: e.localName, label: label(e), id: cut(e.id, 200), classes: cut(e.getAttribute("class") ?? "", 2000), style: cut(e.getAttribute("style") ?? "", 2000),
      text: cut(texts.map((n) => n.data).join(" ").replace(/\s+/g, " ").trim()), texts: texts.length, bare: e.children.length == 0, same,
      path: pathOf(e), chain: chainOf(e).map(label), from: await fromOf(e), styles: stylesOf(e),
    };
  };
  const chainOf = (e) => { const chain = []; for (let x = e; x && x !== d.documentElement && chain.length < 6; x = x.parentElement) chain.unshift(x); return chain; };
`;
