import { useState } from "react";
import { Chart } from "./components/Chart.tsx";
import { LightEntry } from "./components/LightEntry.tsx";
import { Visit } from "./components/Visit.tsx";
import { LIGHTS } from "./lights.ts";

export function App() {
  const [held, setHeld] = useState(false);
  return (
    <>
      <header className="top">
        <p className="house">The Signal House</p>
        <nav aria-label="On this page">
          <a href="#lights">The lights</a>
          <a href="#visit">Visit</a>
        </nav>
      </header>

      <main>
        <section className="hero">
          <div className="hero-words">
            <h1>Every light has its own time</h1>
            <p className="lead">
              At night no sailor sees a tower. They count: two flashes, then dark, ten seconds. Five lighthouses of this
              coast, their lenses, logbooks and keepers, and the rhythm by which each is known.
            </p>
            <p className="when">Until 28 February, entry is free</p>
            <div className="actions">
              <a className="button" href="#visit">
                Plan a visit
              </a>
              <button type="button" aria-pressed={held} onClick={() => setHeld(!held)}>
                Hold the lights
              </button>
            </div>
          </div>
          <Chart held={held} />
        </section>

        <section id="lights" aria-labelledby="lights-title">
          <h2 id="lights-title">Half a minute of each</h2>
          <ol className="entries">
            {LIGHTS.map((light) => (
              <LightEntry key={light.name} light={light} held={held} />
            ))}
          </ol>
        </section>

        <section id="visit" className="visit" aria-labelledby="visit-title">
          <div>
            <h2 id="visit-title">Visit</h2>
            <p>
              The Signal House stands at the end of Pilot Quay, eight minutes on foot from the station. There is a lift
              to the lens room, and a step-free way along the water.
            </p>
            <p>
              On Thursdays we put the room lights out at eight and let the lenses turn. No tickets, but only thirty
              chairs.
            </p>
          </div>
          <Visit />
        </section>
      </main>

      <footer>
        <p>The Signal House, Pilot Quay 4</p>
        <p>Not to be used for navigation</p>
      </footer>
    </>
  );
}
