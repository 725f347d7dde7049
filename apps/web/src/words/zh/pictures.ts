import type { pictures as en } from "../en/pictures.ts";

export const pictures = {
  openWhole: "查看完整图片",
  lookOf: (what) => `${what} 当时的样子`,
  blind: (model) =>
    `${model} 不能读取图片。请选择能看图片的模型，或在此模型名称下注明它能看，或将图片作为文件放入项目，或移除图片。`,
  pictures: "图片",
  picture: (number, size) => `图片 ${number}，${size}`,
  boxes: (characters: string) =>
    `查看用的浏览器没有 ${characters} 的字体：图中显示为方框。你自己的浏览器使用它自己的字体。`,
} satisfies typeof en;
