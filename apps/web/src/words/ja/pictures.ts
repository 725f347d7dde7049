import type { pictures as en } from "../en/pictures.ts";

export const pictures = {
  openWhole: "全体を開く",
  lookOf: (what) => `${what} の表示`,
  blind: (model) =>
    `${model} は画像を読めません。画像を見られるモデルを選ぶか、このモデルの名前の下で見られると指定するか、ファイルとしてプロジェクトに入れるか、画像を外してください。`,
  pictures: "画像",
  picture: (number, size) => `画像 ${number}、${size}`,
  boxes: (characters: string) =>
    `確認用のブラウザーには ${characters} のフォントがないため、画像では四角になっています。お使いのブラウザーには別のフォントがあります。`,
} satisfies typeof en;
