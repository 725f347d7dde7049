/**
 * Pictures of messages and of looks: stored once by their content, and put into messages for a model.
 * @packageDocumentation
 */
export {
  checkPictures,
  keptPictures,
  PAGE_PICTURES,
  PICTURE_BYTES,
  PICTURES,
  type KeptPictures,
} from "./kept-pictures.ts";
export { messagePictures, picturePart } from "./message-pictures.ts";
export { pagePictures } from "./page-pictures.ts";
export { pictureType } from "./picture-type.ts";
