package dev.chargehand.internal.thread;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What the watch knows of virtual threads that run. */
class CarrierWatchTest {

    private final CarrierWatch watch = new CarrierWatch();

    @Test
    void workThatStartsOrEndsOnAVirtualThreadShowsThatACarrierIsFree() throws InterruptedException {
        assertThat(watch.takeMoved()).isFalse();
        Thread.ofVirtual().start(watch::enter).join();
        assertThat(watch.takeMoved()).isTrue();
        assertThat(watch.takeMoved()).isFalse();
        Thread.ofVirtual().start(watch::leave).join();
        assertThat(watch.takeMoved()).isTrue();
    }

    @Test
    void workOnAPlatformThreadShowsNothingOfCarriers() throws InterruptedException {
        Thread.ofPlatform().start(watch::enter).join();
        Thread.ofPlatform().start(watch::leave).join();
        assertThat(watch.takeMoved()).isFalse();
    }
}
