export const heading: string = 42;
