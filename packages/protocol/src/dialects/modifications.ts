export * from "@treadle/dialects/modifications";
