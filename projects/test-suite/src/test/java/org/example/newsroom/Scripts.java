package org.example.newsroom;

import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import java.util.Map;

/** What the models answer in the tests: each agent has its turns. A call that a script does not expect fails its test. */
final class Scripts {

    static final String FACT = "Tea reached Europe in 1610.";
    static final String ARTICLE = "Tea reached Europe in 1610, by ship.";

    private Scripts() {}

    /** An article from the question to the call of the press. */
    static Script article() {
        return ScriptedModel.script()
                .on("editor")
                .delegates("researcher", "When did tea reach Europe?")
                .then()
                .delegates("writer", "Write one sentence: " + FACT)
                .then()
                .calls("publish", Map.of("text", ARTICLE))
                .then()
                .says("It is published.")
                .on("researcher")
                .calls("search-archive", Map.of("words", "tea"))
                .then()
                .says(FACT)
                .on("writer")
                .says(ARTICLE);
    }
}
