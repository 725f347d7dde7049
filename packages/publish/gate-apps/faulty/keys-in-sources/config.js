export const ai = { openai: "{{An OpenAI key}}", anthropic: "{{An Anthropic key}}" };
export const mail = { slack: "{{A Slack token}}", google: "{{A Google key}}" };
export const pay = { stripe: "{{A Stripe secret key}}" };
