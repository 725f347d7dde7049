/** People who have a project open at once, and the files that they edit together. */
export { createRooms, TOGETHER_MESSAGE_BYTES, type Rooms } from "./rooms.ts";
