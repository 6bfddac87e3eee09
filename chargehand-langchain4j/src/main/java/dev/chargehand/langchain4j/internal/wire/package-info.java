/** What the protocols share on the wire: the address, the lines of a stream, JSON trees and errors. */
@NullMarked
package dev.chargehand.langchain4j.internal.wire;

import org.jspecify.annotations.NullMarked;
