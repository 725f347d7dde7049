/**
 * Records what a person does in the page: each click, text, choice and key is reported with the
 * role and name by which a check finds the element. If several match, the enclosing row or item is
 * included; without role, name and text, a selector. Only trusted events count, and none is
 * suppressed. In expectation mode, a clicked element is reported as an expectation, and the click
 * does not reach the page.
 */
export const RECORDING = String.raw`
  let recording = false, enteredOn = null;
  const USED = "a[href],button,input,select,textarea,summary,option,[contenteditable=''],[contenteditable=true],[role],label";
  const SCOPES = "tr,li,article,dialog,[role=row],[role=listitem],[role=article],[role=dialog],[role=group],fieldset";
  const TAG_ROLES = { A: "link", BUTTON: "button", TEXTAREA: "textbox", SELECT: "combobox", OPTION: "option", IMG: "img", LI: "listitem", TR: "row", TD: "cell", TH: "columnheader", TABLE: "table", UL: "list", OL: "list", ARTICLE: "article", DIALOG: "dialog", FIELDSET: "group", PROGRESS: "progressbar", METER: "meter", OUTPUT: "status" };
  const INPUT_ROLES = { button: "button", submit: "button", reset: "button", image: "button", checkbox: "checkbox", radio: "radio", range: "slider", number: "spinbutton", search: "searchbox" };
  const tidy = (x, size = 80) => cut(String(x || "").replace(/\s+/g, " ").trim(), size).trim();
  const seenAt = (e) => !e.checkVisibility || e.checkVisibility({ visibilityProperty: true });
  const roleOf = (e) => {
    const own = (e.getAttribute("role") || "").trim().split(/\s+/)[0];
    if (own) return own == "presentation" || own == "none" || own == "generic" ? "" : own;
    if (/^H[1-6]$/.test(e.tagName)) return "heading";
    if (e.tagName == "INPUT") return e.list ? "combobox" : INPUT_ROLES[e.type] || "textbox";
    if (e.tagName == "SELECT" && (e.multiple || e.size > 1)) return "listbox";
    if (e.tagName == "A") return e.hasAttribute("href") ? "link" : "";
    return e.isContentEditable && e.parentElement && !e.parentElement.isContentEditable ? "textbox" : TAG_ROLES[e.tagName] || "";
  };
  const isField = (e) => e.isContentEditable || /^(TEXTAREA|SELECT)$/.test(e.tagName) || e.tagName == "INPUT" && !INPUT_ROLES[e.type] || /^(number|search|range)$/.test(e.type);
  const content = (n) => {
    if (n.nodeType == 3) return n.data;
    if (n.nodeType != 1 || n.getAttribute("aria-hidden") == "true" || !seenAt(n)) return "";
    const said = n.getAttribute("aria-label") || n.alt;
    const text = said || [...(n.shadowRoot || n).childNodes].map(content).join("");
    return getComputedStyle(n).display.startsWith("inline") ? text : " " + text + " ";
  };
  const labelled = (e) => (e.getAttribute("aria-labelledby") || "").split(/\s+/).map((id) => id && e.getRootNode().getElementById(id)).filter(Boolean).map(content).join(" ");
  const nameOf = (e) => tidy(labelled(e) || e.getAttribute("aria-label")
    || [...(e.labels || [])].map((l) => [...l.childNodes].map((n) => n.contains(e) ? "" : content(n)).join(" ")).join(" ")
    || (e.tagName == "INPUT" && INPUT_ROLES[e.type] == "button" ? e.value || e.alt || e.type : "")
    || (e.tagName == "FIELDSET" && e.querySelector("legend") ? content(e.querySelector("legend")) : "")
    || (!isField(e) || /^(checkbox|radio)$/.test(roleOf(e)) ? content(e) : "") || e.title || e.placeholder || e.alt);
  const selectorOf = (e) => {
    const path = [];
    for (let x = e; x && x !== d.documentElement && path.length < 6; x = x.parentElement) {
      if (x.id && d.querySelectorAll("#" + CSS.escape(x.id)).length == 1) { path.unshift("#" + CSS.escape(x.id)); break; }
      path.unshift(x.localName + (x.parentElement && x.parentElement.children.length > 1 ? ":nth-child(" + ([...x.parentElement.children].indexOf(x) + 1) + ")" : ""));
    }
    return path.join(" > ");
  };
  const alike = (e, role, name) => [...d.querySelectorAll(e.getAttribute("role") ? "[role],button,a,input" : e.localName + ",[role]")].filter((x) => seenAt(x) && roleOf(x) == role && nameOf(x) == name);
  const firstText = (e, without) => {
    const walk = d.createTreeWalker(e, 4);
    while (walk.nextNode()) {
      const text = tidy(walk.currentNode.data, 60);
      if (text && !without.contains(walk.currentNode) && seenAt(walk.currentNode.parentElement)) return text;
    }
    return "";
  };
  const targetOf = (e) => {
    const role = roleOf(e), name = nameOf(e);
    if (!role || !name) {
      const text = !isField(e) && tidy(content(e));
      return text ? { words: text } : { css: cut(selectorOf(e), 300) };
    }
    const target = { role, name };
    if (alike(e, role, name).length < 2) return target;
    const scope = e.parentElement && e.parentElement.closest(SCOPES), within = scope && firstText(scope, e);
    const others = scope ? [...d.querySelectorAll(scope.localName)].filter((x) => x !== scope && !x.contains(scope) && content(x).includes(within)) : [];
    return within && roleOf(scope) && !others.length ? { ...target, within: { role: roleOf(scope), name: within } } : { css: cut(selectorOf(e), 300) };
  };
  const recorded = (step) => say("recorded", { step });
  const atOf = (e) => e.composedPath()[0];
  const expectOf = (e) => {
    const used = e.closest(USED) || e, role = roleOf(used);
    if (/^(checkbox|radio|switch)$/.test(role)) return { ...targetOf(used), is: (used.checked ?? used.getAttribute("aria-checked") == "true") ? "checked" : "unchecked" };
    if (isField(used) && used.type != "password") return { ...targetOf(used), text: used.tagName == "SELECT" ? tidy(used.selectedOptions[0] && used.selectedOptions[0].text) : cut(used.value ?? used.innerText, 300) };
    if (/^(heading|button|link|img|tab|alert|status)$/.test(roleOf(e))) return targetOf(e);
    if (/^(button|link|tab)$/.test(role)) return targetOf(used);
    const text = tidy(content(e));
    return text ? { words: text } : targetOf(e);
  };
  const expecting = (on) => {
    if (!on && picking && aim !== choose) return pick(false);
    // A checkbox is already switched during its click event, and is switched back when the click is
    // prevented.
    if (on) pick(true, (e) => soon(() => recorded({ do: "expect", target: expectOf(e) })));
  };
  const record = (on) => { recording = !!on; if (!on) expecting(false); };
  const during = (type, hear) => w.addEventListener(type, (e) => { if (recording && !picking && e.isTrusted) try { hear(e, atOf(e)); } catch {} }, true);
  during("click", (e, at) => {
    if (!(at instanceof Element)) return;
    // The browser clicks a form's button when Enter is pressed in a field.
    if (e.detail == 0 && enteredOn && enteredOn !== at) return;
    const used = at.closest(USED) || at;
    if (used.tagName == "LABEL" && used.control || used.tagName == "OPTION" || isField(used)) return;
    recorded({ do: "click", target: targetOf(used) });
  });
  during("input", (e, at) => {
    const field = at.isContentEditable ? at.closest("[contenteditable]:not([contenteditable=false])") : at;
    if (!isField(field) || field.tagName == "SELECT" || field.type == "file") return;
    recorded({ do: "type", target: targetOf(field), text: cut(field.value ?? field.innerText, 1000), secret: field.type == "password" || /password/.test(field.autocomplete || "") });
  });
  during("change", (e, at) => {
    if (at.tagName == "SELECT") recorded({ do: "select", target: targetOf(at), text: tidy(at.selectedOptions[0] && at.selectedOptions[0].text) });
  });
  during("keydown", (e, at) => {
    enteredOn = null;
    if (e.repeat || e.isComposing || !(at instanceof Element)) return;
    const field = isField(at), { key } = e;
    const isWritten = at.tagName == "TEXTAREA" || at.isContentEditable;
    const takes = key == "Enter" ? field && !isWritten : key == "Escape" || !field && !/^(BUTTON|A|SUMMARY)$/.test(at.tagName) && !/^(checkbox|radio)$/.test(at.type) && (/^(Arrow|Page|Home|End|Delete|Backspace)/.test(key) || key.length == 1 && !e.ctrlKey && !e.metaKey && !e.altKey);
    if (!takes) return;
    if (key == "Enter") { enteredOn = at; soon(() => (enteredOn = null), 50); }
    recorded({ do: "press", target: field && key == "Enter" ? targetOf(at) : void 0, text: key == " " ? "Space" : key });
  });
`;
