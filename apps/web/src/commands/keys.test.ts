import { describe, expect, it } from "vitest";
import { isPlain, readPress, ariaKeys, sameKeys, shownKeys, type Press } from "./keys.ts";
import { COMMAND_IDS, keysOf, partOf } from "./list.ts";

const press = (key: string, more: Partial<Press> = {}): Press => ({
  key,
  code: "",
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...more,
});

describe("a key press", () => {
  it("is written in the system's notation", () => {
    expect(readPress(press("k", { ctrlKey: true }), false)).toBe("Mod+k");
    expect(readPress(press("k", { metaKey: true }), true)).toBe("Mod+k");
    expect(readPress(press("k", { ctrlKey: true }), true)).toBe("Ctrl+k");
    expect(readPress(press("k", { metaKey: true }), false)).toBe("Meta+k");
    expect(readPress(press("P", { ctrlKey: true, shiftKey: true }), false)).toBe("Mod+Shift+p");
    expect(readPress(press("?", { shiftKey: true }), false)).toBe("?");
    expect(readPress(press("?"), false)).toBe("?");
  });

  it("is ignored while a key repeats, and where AltGr types a character", () => {
    expect(readPress(press("Control", { ctrlKey: true }), false)).toBeUndefined();
    expect(readPress(press("Shift", { shiftKey: true }), false)).toBeUndefined();
    expect(readPress(press("k", { ctrlKey: true, altKey: true }), false)).toBeUndefined();
  });

  it("is identified by its position if the keyboard has another alphabet, or the key is dead", () => {
    const held = { ctrlKey: true };
    expect(readPress(press("л", { ...held, code: "KeyK" }), false)).toBe("Mod+k");
    expect(readPress(press("Dead", { ...held, code: "Backquote" }), false)).toBe("Mod+`");
    expect(readPress(press("п", { code: "KeyG" }), false)).toBe("g");
  });
});

describe("key bindings", () => {
  it("are shown as printed on the keyboard", () => {
    expect(shownKeys("Mod+Shift+p", false)).toEqual(["Ctrl+Shift+P"]);
    expect(shownKeys("Mod+Shift+p", true)).toEqual(["⇧⌘P"]);
    expect(shownKeys("g h", true)).toEqual(["G", "H"]);
    expect(shownKeys("Ctrl+`", true)).toEqual(["⌃`"]);
  });

  it("are announced by screen readers where possible", () => {
    expect(ariaKeys(["Mod+k", "Mod+Shift+p"], false)).toBe("Control+K Control+Shift+P");
    expect(ariaKeys(["Mod+k"], true)).toBe("Meta+K");
    expect(ariaKeys(["g h"], false)).toBeUndefined();
  });

  it.each([true, false])(
    "belong to one command each, and none is the beginning of another (apple: %s)",
    (apple) => {
      const all = COMMAND_IDS.flatMap((id) => keysOf(id).map((keys) => sameKeys(keys, apple)));
      expect(all.filter((keys, at) => all.indexOf(keys) !== at)).toEqual([]);
      expect(all.filter((keys) => all.some((other) => other.startsWith(`${keys} `)))).toEqual([]);
    },
  );

  it("are neither reserved by browsers nor type characters", () => {
    const taken = /^Mod\+(?:Shift\+)?(?:n|t|w)$|^Mod\+(?:a|c|v|x|z|f|s|y)$/;
    // Within one part of the page, a browser's key may do the same for that part.
    const all = COMMAND_IDS.filter((id) => partOf(id) === undefined).flatMap((id) => keysOf(id));
    expect(all.filter((keys) => taken.test(keys))).toEqual([]);
    expect(all.filter((keys) => isPlain(keys))).not.toHaveLength(0);
  });
});
