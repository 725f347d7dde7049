export * from "@treadle/dialects/search-replace";
