import { APICallError } from "@ai-sdk/provider";
import { expect, it } from "vitest";
import { classifyError } from "./classify.ts";

const refusal = (statusCode: number, error: unknown) =>
  classifyError(
    new APICallError({
      message: "x",
      url: "http://x",
      requestBodyValues: {},
      statusCode,
      responseBody: JSON.stringify({ error }),
    }),
    "Provider",
    false,
  ).refusesPictures;

it.each([
  [400, "Invalid content type. image_url is only supported by certain models."],
  [400, "messages.0.content.1: 'claude-x' does not support image input."],
  [404, "No endpoints found that support image input"],
  [500, "image input is not supported - hint: you may need to provide the mmproj"],
  [400, "this model does not support image input (ref: b8bd630e)"],
  [400, "Model do not support image input."],
  [400, "Failed to deserialize: messages[1]: unknown variant `image_url`, expected `text`"],
  [400, "messages[1].content must be a string"],
  [400, "Image input is not enabled for this model"],
  [400, "Image inputs are not supported by this model."],
  [400, "meta-llama/Llama-3.1-8B is not a multimodal model"],
  [400, "At most 0 image(s) may be provided in one request."],
  [400, "Model does not support images. Please use a model that does."],
  [400, "Unsupported content part type for text-only server: image_url"],
  [500, "this model is missing data required for image input"],
])("a model that reads no pictures is known by its server's words: %i %s", (status, message) => {
  expect(refusal(status, { message })).toBe(true);
});

it.each([
  [400, "You uploaded an unsupported image. Please make sure your image has one of these formats"],
  [400, "Could not process image"],
  [400, "messages.0.content.0.image.source.media_type: Input should be 'image/jpeg'"],
  [400, "image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes"],
  [400, "image/bmp is not a supported media type"],
  [400, "tools are not supported by this model"],
  [400, "The parameter temperature is not supported"],
  [429, "image_url is only supported by certain models."],
])(
  "what is wrong with a picture, or with something else, says nothing of that: %i %s",
  (status, message) => {
    expect(refusal(status, { message })).toBeUndefined();
  },
);
