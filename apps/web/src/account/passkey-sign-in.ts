/** The script of the passkey button on the server's sign-in page. */
import {
  browserSupportsWebAuthn,
  startAuthentication,
  type PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";

const form = document.querySelector<HTMLFormElement>("#passkey-form");
const answer = form?.querySelector<HTMLInputElement>("[name=passkey]");
const button = form?.querySelector("button");

if (form && answer && button && browserSupportsWebAuthn()) {
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    button.disabled = true;
    askDevice()
      .then((response) => {
        answer.value = JSON.stringify(response);
        form.submit();
      })
      // The browser has shown the reason itself, or the person closed its dialog.
      .catch(() => (button.disabled = false));
  });
}

async function askDevice() {
  const response = await fetch("/api/sign-in/passkey/options", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  const { options } = (await response.json()) as { options: PublicKeyCredentialRequestOptionsJSON };
  return startAuthentication({ optionsJSON: options });
}
