package dev.chargehand.verify.failure;

/** What kind of run the scenario is. */
enum Kind {
    /** It answers in words. */
    ORDINARY("Done with it."),
    /** It answers in words, and no code of the application is called between its steps. */
    PLAIN("Done with it."),
    /** One thing comes after the other. */
    NETWORK("Done with it."),
    /** Its answer is to be an object, which the first is not; and processors look at everything. */
    STRUCTURED("{\"report\":\"Done with it.\"}"),
    /** A workflow with each kind of code: steps, a map, a condition and items. */
    WORKFLOW("Done with it."),
    /** A delegation in the background, whose result starts another turn. */
    TASK("Done with it.");

    private final String answer;

    Kind(String answer) {
        this.answer = answer;
    }

    /** Return its answer when nothing fails. */
    String answer() {
        return answer;
    }
}
