import type { pictures as en } from "../en/pictures.ts";

export const pictures = {
  openWhole: "全体を開く",
  lookOf: (what) => `${what} の表示`,
  unreadable: "画像を読み取れません。",
  pictures: "画像",
  picture: (number, size) => `画像 ${number}、${size}`,
} satisfies typeof en;
