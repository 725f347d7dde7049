globalThis.headers = { Authorization: `Bearer {{An OpenAI key}}` };
//# sourceMappingURL=app.js.map
