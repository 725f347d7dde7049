export { createChatParts } from "./answers/chat-parts.ts";
export {
  digestOf,
  type KnownFiles,
  syncFiles,
  takeModifications,
  textOf,
} from "./files/sync-files.ts";
export { BoltModels, boltModels } from "./models/bolt-models.ts";
export { modelMeant } from "./models/model-meant.ts";
export { ChatBody, type ChatRequest, readChat } from "./requests/chat-request.ts";
export { readEarlier } from "./requests/earlier.ts";
export { readBlock } from "./requests/modification-block.ts";
export { type ExportedChat, readChatExport } from "./requests/read-chat-export.ts";
