export * from "@treadle/dialects/edits";
