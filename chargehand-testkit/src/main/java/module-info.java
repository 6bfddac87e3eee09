/** What a test of an agent needs. */
module dev.chargehand.testkit {
    requires static transitive org.jspecify;
    requires transitive dev.chargehand;
    requires static transitive org.assertj.core;
    requires static transitive org.junit.jupiter.api;
    requires org.slf4j;
    requires tools.jackson.databind;

    exports dev.chargehand.testkit;
    exports dev.chargehand.testkit.http;
    exports dev.chargehand.testkit.model;
    exports dev.chargehand.testkit.provider;
    exports dev.chargehand.testkit.provider.reply;
    exports dev.chargehand.testkit.provider.request;
    exports dev.chargehand.testkit.replay;
    exports dev.chargehand.testkit.store;
    exports dev.chargehand.testkit.store.copy;
    exports dev.chargehand.testkit.store.memory;
    exports dev.chargehand.testkit.store.version;
    exports dev.chargehand.testkit.store.waiting;

    // JUnit calls tests that are not public.
    opens dev.chargehand.testkit.model;
    opens dev.chargehand.testkit.store;
    opens dev.chargehand.testkit.store.memory;
}
