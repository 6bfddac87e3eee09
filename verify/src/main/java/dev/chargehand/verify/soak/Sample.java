package dev.chargehand.verify.soak;

import dev.chargehand.verify.harness.Holdings;

/**
 * What the process holds at one moment, after a collection.
 *
 * @param runs how many runs there have been
 * @param heap bytes of live objects
 * @param threads platform threads
 * @param descriptors open files and sockets
 * @param connections open connections of the provider
 * @param abandoned calls that were given up and are still running
 * @param stored bytes of the store on disk
 */
record Sample(long runs, long heap, int threads, long descriptors, int connections, int abandoned, long stored) {

    static Sample take(long runs, int connections, int abandoned, long stored) {
        return new Sample(
                runs, Holdings.liveBytes(), Holdings.threads(), Holdings.descriptors(), connections, abandoned, stored);
    }
}
