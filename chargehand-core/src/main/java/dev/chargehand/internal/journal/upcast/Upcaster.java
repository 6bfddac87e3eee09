package dev.chargehand.internal.journal.upcast;

import tools.jackson.databind.node.ObjectNode;

/** Lifts the JSON of one type of fact from one version to the next. It uses literal keys, and no type of the domain. */
interface Upcaster {

    /** Returns the name of the type. */
    String type();

    /** Returns the version that it lifts. */
    int from();

    /** Changes a fact of that version into one of the next. */
    void lift(ObjectNode fact);
}
