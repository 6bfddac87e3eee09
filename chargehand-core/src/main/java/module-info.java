/** Agents that get work done through a crew of other agents: definitions, runs, tools, events and stores. */
@SuppressWarnings("module") // the test kit is built after this module
module dev.chargehand {
    requires static com.github.victools.jsonschema.module.jakarta.validation;
    requires static jakarta.validation;
    requires static transitive org.jspecify;
    requires com.fasterxml.classmate;
    requires com.github.victools.jsonschema.generator;
    requires com.github.victools.jsonschema.module.jackson;
    requires com.networknt.schema;
    requires jdk.management;
    requires org.slf4j;
    requires tools.jackson.databind;

    exports dev.chargehand;
    exports dev.chargehand.annotation;
    exports dev.chargehand.approval;
    exports dev.chargehand.background;
    exports dev.chargehand.completion;
    exports dev.chargehand.error;
    exports dev.chargehand.event;
    exports dev.chargehand.hook;
    exports dev.chargehand.json;
    exports dev.chargehand.memory;
    exports dev.chargehand.message;
    exports dev.chargehand.metric;
    exports dev.chargehand.model;
    exports dev.chargehand.processor;
    exports dev.chargehand.run;
    exports dev.chargehand.spi;
    exports dev.chargehand.step;
    exports dev.chargehand.store;
    exports dev.chargehand.store.deletion;
    exports dev.chargehand.store.memory;
    exports dev.chargehand.store.version;
    exports dev.chargehand.thread;
    exports dev.chargehand.tool;
    exports dev.chargehand.version;
    exports dev.chargehand.workflow;
    exports dev.chargehand.workflow.view;

    // A test is made of the facts of a recorded run.
    exports dev.chargehand.internal.fact to
            dev.chargehand.testkit;
    exports dev.chargehand.internal.journal to
            dev.chargehand.testkit;
    exports dev.chargehand.internal.state to
            dev.chargehand.testkit;

    // Its errors are written as ours are.
    exports dev.chargehand.internal.text to
            dev.chargehand.document,
            dev.chargehand.testkit;

    opens dev.chargehand.internal.journal.stored to
            tools.jackson.databind;
    opens dev.chargehand.json to
            tools.jackson.databind;
    opens dev.chargehand.message to
            tools.jackson.databind;

    uses dev.chargehand.model.ModelProvider;
}
