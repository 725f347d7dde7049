export const title = "Hello from the loop";
