export const heading = "Hello from the loop";
