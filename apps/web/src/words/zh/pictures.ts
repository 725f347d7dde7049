import type { pictures as en } from "../en/pictures.ts";

export const pictures = {
  openWhole: "查看完整图片",
  lookOf: (what) => `${what} 当时的样子`,
  blind: (model) =>
    `${model} 不能读取图片。请选择能看图片的模型，或在此模型名称下注明它能看，或将图片作为文件放入项目，或移除图片。`,
  pictures: "图片",
  picture: (number, size) => `图片 ${number}，${size}`,
} satisfies typeof en;
