// Command hello is the program in test images.
package main

func main() { println("hello") }
