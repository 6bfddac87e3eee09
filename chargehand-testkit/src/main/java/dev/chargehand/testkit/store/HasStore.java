package dev.chargehand.testkit.store;

import dev.chargehand.store.Store;

/** A test about a store; a group of rules is an interface, so that the groups can be read one by one. */
interface HasStore {

    /** Return the store that the running test is about. */
    Store store();
}
