import fc from "fast-check";
import { expect, it } from "vitest";
import { readingOf } from "./archive-names.ts";

const encoders = new Map<string, (text: string) => Uint8Array>();
const encoder = (encoding: string) => {
  const encode = encoders.get(encoding) ?? createEncoder(encoding);
  encoders.set(encoding, encode);
  return encode;
};

/** Encodes a text, by trying all two-byte sequences. */
function createEncoder(encoding: string): (text: string) => Uint8Array {
  const decoder = new TextDecoder(encoding);
  const known = new Map<string, number[]>();
  const add = (bytes: number[]) => {
    const text = decoder.decode(new Uint8Array(bytes));
    if (!text.includes("\ufffd") && [...text].length === 1 && !known.has(text))
      known.set(text, bytes);
  };
  for (let lead = 0; lead < 0x100; lead++) add([lead]);
  for (let lead = 0x81; lead < 0xff; lead++)
    for (let trail = 0x40; trail < 0xff; trail++) add([lead, trail]);
  return (text) => {
    const missing = [...text].find((character) => !known.has(character));
    if (missing !== undefined) throw new Error(`${encoding} has no ${missing}`);
    return new Uint8Array([...text].flatMap((character) => known.get(character)!));
  };
}

const read = (names: readonly Uint8Array[]) => {
  const reading = readingOf(names);
  return "either" in reading ? reading : names.map((name) => reading.decode(name));
};

it.each([
  ["shift_jis", ["資料/設計書.txt", "表紙/ソース.html", "予定表.csv"]],
  ["shift_jis", ["新しいフォルダー/index.html"]],
  ["shift_jis", ["画像/写真.png"]],
  ["gbk", ["网站/首页.html", "图片/标志.png"]],
  ["gbk", ["新建文件夹/说明.txt"]],
  ["gbk", ["项目资料/文档.md"]],
  ["euc-kr", ["새 폴더/소스.html", "사진/고양이.png"]],
  ["euc-kr", ["프로젝트/설명.txt"]],
  ["big5", ["新增資料夾/說明.txt", "圖片/標誌.png"]],
  ["big5", ["網站/首頁.html"]],
  ["euc-jp", ["ドキュメント/はじめに.txt"]],
  ["ibm866", ["Документы/Отчёт.txt"]],
  ["windows-1251", ["Документы/Отчёт.txt"]],
  ["windows-1252", ["Größe/Übersicht.txt", "café.html"]],
])("decodes names in %s: %j", (encoding, names) => {
  expect(read(names.map(encoder(encoding)))).toEqual(names);
});

it("decodes names in the DOS code page", () => {
  const bytes = Buffer.from("Gr\x94\xe1e/\x9abersicht.txt", "latin1");
  expect(read([bytes])).toEqual(["Größe/Übersicht.txt"]);
});

it.each([
  ["shift_jis", ["メモ.txt"]],
  ["shift_jis", ["表.txt"]],
  ["shift_jis", ["web制作/README.md", "能力.txt"]],
  ["gbk", ["web设计/首页.html"]],
  ["gbk", ["新建文本文档.txt"]],
  ["euc-kr", ["한글.txt"]],
  ["euc-kr", ["새폴더/index.html"]],
  ["big5", ["專題報告/作業.txt"]],
  ["ibm866", ["Сайт/index.html"]],
  ["windows-1252", ["Übung.txt"]],
])("decodes few names in %s, or reports that they are ambiguous: %j", (encoding, names) => {
  const found = read(names.map(encoder(encoding)));
  if (!("either" in found)) expect(found).toEqual(names);
});

it("accepts neither of two readings that are about equally likely, and shows both", () => {
  // Two characters in both encodings, and no further evidence.
  const reading = read([new Uint8Array([0xb0, 0xa1, 0xb0, 0xa2])]);
  expect(reading).toMatchObject({ either: [{ label: expect.any(String) }, {}] });
});

it("decodes every name once it has decided, whatever its bytes", () => {
  const names = fc.array(fc.uint8Array({ minLength: 1, maxLength: 12 }), { minLength: 1 });
  fc.assert(
    fc.property(names, (all) => {
      const reading = readingOf(all);
      if ("either" in reading) expect(reading.either).toHaveLength(2);
      else for (const name of all) expect(reading.decode(name)).toEqual(expect.any(String));
    }),
  );
});
